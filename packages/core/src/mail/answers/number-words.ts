/**
 * The numbers from 0 to 20 as words, by language; then the tens from 30 to 100 where a language has its own
 * words.
 */
const COUNTED: readonly (readonly [string, string])[] = [
  [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "thirty forty fifty sixty seventy eighty ninety hundred",
  ],
  [
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
    "treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
  ],
  [
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove vinte",
    "trinta quarenta cinquenta sessenta setenta oitenta noventa cem",
  ],
  [
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
    "trente quarante cinquante soixante septante huitante nonante cent",
  ],
  [
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать",
    "тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто",
  ],
  [
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
  ],
  [
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस",
    "तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ",
  ],
  [
    "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة - - - - - - - - - عشرون",
    "ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون مئة",
  ],
  [
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
    "trenta quaranta cinquanta sessanta settanta ottanta novanta cento",
  ],
  [
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
    "dertig veertig vijftig zestig zeventig tachtig negentig honderd",
  ],
];

const OTHERS: readonly (readonly [string, number])[] = [
  ["dos", 2],
  ["duas", 2],
  ["dos", 2],
  ["zwo", 2],
  ["zwoelf", 12],
  ["fuenf", 5],
  ["dreissig", 30],
  ["ein hundert", 100],
  ["पांच", 5],
  ["छः", 6],
  ["dieciseis", 16],
  ["tres", 3],
  ["ninguno", 0],
  ["keine", 0],
  ["none", 0],
  ["nenhum", 0],
  ["aucun", 0],
  ["하나", 1],
  ["둘", 2],
  ["셋", 3],
  ["넷", 4],
  ["다섯", 5],
  ["여섯", 6],
  ["일곱", 7],
  ["여덟", 8],
  ["아홉", 9],
  ["열", 10],
  ["스물", 20],
];

/**
 * The value of each number word. Articles that are also numbers ("un", "uma", "ein") count only when the
 * whole answer is read.
 */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    ...COUNTED.flatMap(([units, tens]) => [
      ...units.split(" ").map((word, value): [string, number] => [word, value]),
      ...tens.split(" ").map((word, index): [string, number] => [word, 30 + index * 10]),
    ]),
    ...OTHERS,
  ].filter(([word]) => word !== "-"),
);

const HAN_DIGITS = new Map([..."〇一二三四五六七八九"].map((digit, value) => [digit, value]));
HAN_DIGITS.set("零", 0).set("两", 2).set("兩", 2);
const HAN_PLACES = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
  ["万", 10_000],
  ["萬", 10_000],
]);

/** The value of a Chinese or Japanese numeral up to 99,999, or undefined. */
export function hanNumber(word: string): number | undefined {
  if (!/^[〇零一二三四五六七八九两兩十百千万萬]{1,10}$/u.test(word)) return undefined;
  let sum = 0;
  let section = 0;
  let digit: number | undefined;
  for (const character of word) {
    const place = HAN_PLACES.get(character);
    if (place === undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = HAN_DIGITS.get(character);
      continue;
    }
    if (place === 10_000) {
      sum += (section + (digit ?? 0)) * place;
      section = 0;
    } else section += (digit ?? 1) * place;
    digit = undefined;
  }
  return sum + section + (digit ?? 0);
}

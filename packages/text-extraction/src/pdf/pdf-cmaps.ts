/**
 * PDF names character sets of Chinese, Japanese and Korean without including them (ISO 32000-1, section 9.7.5.2): one
 * table maps codes to the glyphs of a collection, and another maps those to Unicode. The tables are built here from the
 * encodings that Node knows, with glyph numbers of our own, beyond those of any collection: text needs no glyphs. A
 * file's own glyph numbers stay unknown.
 */
export class CharacterMaps {
  /** The table of this name as PostScript (Adobe technical note 5014). Fails if it isn't known. */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const known = kind === "cMapUrl" ? (maps.get(filename) ?? makeMap(filename)) : undefined;
    if (known === undefined) throw new Error("not available");
    maps.set(filename, known);
    return known;
  }
}

/** The characters of a collection, by the encoding that has them. */
const ENCODING_BY_COLLECTION: Readonly<Record<string, string>> = {
  Japan1: "shift_jis",
  GB1: "gb18030",
  CNS1: "big5",
  Korea1: "euc-kr",
};

interface Family {
  /** The names of its tables. */
  names: RegExp;
  collection: string;
  /** The encoding of codes in one or two bytes; "utf-16be" for codes that are Unicode. */
  encoding: string;
  /** The ranges of codes, in hexadecimal. */
  codes: readonly string[];
  /** Whether codes lack the high bit of each byte (ISO 2022). */
  seven_bits?: boolean;
}

const ALL_CODES = ["0000", "ffff"];
const EUC_CODES = ["00", "80", "8140", "fefe"];
const FAMILIES: readonly Family[] = [
  { names: /^UniJIS.*-(?:UCS2|UTF16)/, collection: "Japan1", encoding: "utf-16be", codes: ALL_CODES },
  { names: /^UniGB.*-(?:UCS2|UTF16)/, collection: "GB1", encoding: "utf-16be", codes: ALL_CODES },
  { names: /^UniCNS.*-(?:UCS2|UTF16)/, collection: "CNS1", encoding: "utf-16be", codes: ALL_CODES },
  { names: /^UniKS.*-(?:UCS2|UTF16)/, collection: "Korea1", encoding: "utf-16be", codes: ALL_CODES },
  {
    names: /RKSJ-/,
    collection: "Japan1",
    encoding: "shift_jis",
    codes: ["00", "80", "a0", "df", "8140", "9ffc", "e040", "fcfc"],
  },
  {
    names: /^(?:78-)?EUC-/,
    collection: "Japan1",
    encoding: "euc-jp",
    codes: ["00", "80", "8ea0", "8edf", "a1a1", "fefe"],
  },
  {
    names: /^(?:(?:78|Add|Ext)-)?[HV]$/,
    collection: "Japan1",
    encoding: "euc-jp",
    codes: ["2121", "7e7e"],
    seven_bits: true,
  },
  { names: /^(?:GBK|GB|GBKp|GBpc)-EUC-|^GBK2K-/, collection: "GB1", encoding: "gb18030", codes: EUC_CODES },
  { names: /^GB-[HV]$/, collection: "GB1", encoding: "gb18030", codes: ["2121", "7e7e"], seven_bits: true },
  { names: /-B5-|^B5pc-/, collection: "CNS1", encoding: "big5", codes: EUC_CODES },
  { names: /^KSC(?:ms|pc)?-(?:EUC|UHC)-/, collection: "Korea1", encoding: "euc-kr", codes: EUC_CODES },
  {
    names: /^KSC-[HV]$/,
    collection: "Korea1",
    encoding: "euc-kr",
    codes: ["2121", "7e7e"],
    seven_bits: true,
  },
];

/** The first glyph number of ours. */
const FIRST_GLYPH = 0x8000;
/** Private characters, which stand for glyph numbers of the collection's own; they are no text. */
const PRIVATE = { first: 0xe000, count: 0x1800 };

const maps = new Map<string, Uint8Array>();
const charactersOf = new Map<string, readonly number[]>();

/** Removes characters without a meaning of their own: private ones, which stand for a font's shapes. */
export const withoutPrivate = (text: string): string => text.replace(/[\uE000-\uF8FF]/g, "");

function makeMap(name: string): Uint8Array | undefined {
  const [, ordering = ""] = /^Adobe-([^-]+)-UCS2$/.exec(name) ?? [];
  if (Object.hasOwn(ENCODING_BY_COLLECTION, ordering)) return makeUnicodeMap(ordering);
  const family = FAMILIES.find(({ names }) => names.test(name));
  return family === undefined ? undefined : makeCodeMap(family, name.endsWith("V"));
}

/** From glyph numbers to Unicode. */
function makeUnicodeMap(collection: string): Uint8Array {
  const ranges = toRanges(listCharacters(collection).map((char, index) => [FIRST_GLYPH + index, char]));
  for (let glyph = 1; glyph < FIRST_GLYPH; glyph += PRIVATE.count)
    ranges.push([glyph, Math.min(glyph + PRIVATE.count, FIRST_GLYPH) - 1, PRIVATE.first]);
  const lines = ranges.map(([from, to, char]) => `<${hex(from)}> <${hex(to)}> <${hex(char)}>`);
  return write([
    "1 begincodespacerange",
    "<0000> <ffff>",
    "endcodespacerange",
    "1 beginbfrange",
    ...lines,
    "endbfrange",
  ]);
}

/** From codes to glyph numbers. */
function makeCodeMap(
  { collection, encoding, codes, seven_bits = false }: Family,
  vertical: boolean,
): Uint8Array {
  const characters = listCharacters(collection);
  const glyphOf = new Map(characters.map((char, index) => [char, FIRST_GLYPH + index]));
  const coded: (readonly [code: number, char: number])[] =
    encoding === "utf-16be" ? characters.map((char) => [char, char]) : listCodes(encoding);
  const pairs = coded.flatMap(([code, char]): [number, number][] => {
    const glyph = glyphOf.get(char);
    const own = seven_bits ? code & 0x7f7f : code;
    return glyph === undefined || (seven_bits && code < 0xa1a1) ? [] : [[own, glyph]];
  });
  const width = (code: number) => (code > 0xff || encoding === "utf-16be" ? 4 : 2);
  const lines = toRanges(pairs).map(
    ([from, to, glyph]) => `<${hex(from, width(from))}> <${hex(to, width(to))}> ${glyph}`,
  );
  const spaces = codes.flatMap((from, index) => (index % 2 === 0 ? [`<${from}> <${codes[index + 1]}>`] : []));
  return write([
    ...(vertical ? ["/WMode 1 def"] : []),
    ...["1 begincodespacerange", ...spaces, "endcodespacerange"],
    ...["1 begincidrange", ...lines, "endcidrange"],
  ]);
}

/** The characters of a collection within the basic plane, in the order of Unicode. */
function listCharacters(collection: string): readonly number[] {
  const known = charactersOf.get(collection);
  if (known !== undefined) return known;
  const found = new Set(listCodes(ENCODING_BY_COLLECTION[collection] ?? "").map(([, char]) => char));
  const characters = [...found].toSorted((one, other) => one - other).slice(0, FIRST_GLYPH);
  charactersOf.set(collection, characters);
  return characters;
}

/** Each code of one or two bytes with its character. */
function listCodes(encoding: string): [code: number, char: number][] {
  const decoder = new TextDecoder(encoding);
  const bytes = new Uint8Array(2);
  const codes: [number, number][] = [];
  const add = (code: number, text: string) => {
    const char = text.length === 1 ? text.charCodeAt(0) : 0xfffd;
    if (char !== 0xfffd && (char < PRIVATE.first || char > 0xf8ff)) codes.push([code, char]);
  };
  for (let code = 0x20; code <= 0xff; code++)
    add(code, decoder.decode(bytes.fill(code, 0, 1).subarray(0, 1)));
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      bytes[0] = lead;
      bytes[1] = trail;
      add(lead * 256 + trail, decoder.decode(bytes));
    }
  }
  return codes;
}

/** Joins neighbours whose values are neighbours too; a range doesn't leave its first byte. */
function toRanges(
  pairs: readonly (readonly [number, number])[],
): [from: number, to: number, value: number][] {
  const ranges: [number, number, number][] = [];
  for (const [key, value] of pairs) {
    const last = ranges.at(-1);
    const isNext = last !== undefined && key === last[1] + 1 && value === last[2] + key - last[0];
    if (isNext && key >> 8 === last[0] >> 8 && value >> 8 === last[2] >> 8) last[1] = key;
    else ranges.push([key, key, value]);
  }
  return ranges;
}

const hex = (value: number, digits = 4): string => value.toString(16).padStart(digits, "0");
const write = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(["begincmap", ...lines, "endcmap", ""].join("\n"));

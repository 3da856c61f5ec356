/**
 * Words that close a letter, by language. They count only when they stand alone on their line and a name follows: "thanks"
 * within a sentence is what the writer wants to say.
 */
export const closings: Readonly<Record<string, readonly string[]>> = {
  en: ["thanks", "thank you", "many thanks", "thanks again", "thanks a lot", "thanks so much", "thanks in advance", "thx", "regards", "best regards", "kind regards", "warm regards", "warmest regards", "best", "all the best", "best wishes", "sincerely", "yours sincerely", "sincerely yours", "yours truly", "yours faithfully", "faithfully", "respectfully", "cheers", "take care", "cordially", "love", "your pal", "your friend", "rgds", "kindest regards", "with regards", "thanks and regards", "thanks & regards", "have a great day", "talk soon"],
  de: ["mit freundlichen grüßen", "mit freundlichen grüssen", "mit freundlichem gruß", "freundliche grüße", "viele grüße", "liebe grüße", "beste grüße", "herzliche grüße", "schöne grüße", "grüße", "gruß", "mfg", "vg", "lg", "danke", "vielen dank", "hochachtungsvoll"],
  fr: ["cordialement", "bien cordialement", "bien à vous", "salutations", "merci", "sincères salutations", "amicalement", "cdt", "bonne journée", "respectueusement"],
  es: ["saludos", "un saludo", "saludos cordiales", "atentamente", "gracias", "muchas gracias", "un abrazo", "cordialmente", "salud"],
  pt: ["cumprimentos", "melhores cumprimentos", "com os melhores cumprimentos", "atenciosamente", "obrigado", "obrigada", "abraços", "um abraço", "att"],
  it: ["cordiali saluti", "distinti saluti", "saluti", "grazie", "un saluto", "a presto"],
  nl: ["met vriendelijke groet", "met vriendelijke groeten", "vriendelijke groet", "vriendelijke groeten", "groeten", "groetjes", "groet", "mvg", "bedankt", "hartelijke groet", "alvast bedankt"],
  pl: ["pozdrawiam", "z poważaniem", "z pozdrowieniami", "dziękuję", "serdecznie pozdrawiam"],
  ru: ["с уважением", "спасибо", "всего доброго", "с наилучшими пожеланиями"],
  uk: ["з повагою", "дякую", "на все добре"],
  sv: ["med vänlig hälsning", "med vänliga hälsningar", "vänliga hälsningar", "hälsningar", "mvh", "tack"],
  da: ["med venlig hilsen", "venlig hilsen", "hilsen", "vh", "tak"],
  no: ["med vennlig hilsen", "vennlig hilsen", "mvh", "takk"],
  fi: ["ystävällisin terveisin", "terveisin", "parhain terveisin", "t.", "kiitos"],
  cs: ["s pozdravem", "děkuji", "díky", "hezký den"],
  sk: ["s pozdravom", "ďakujem"],
  hu: ["üdvözlettel", "tisztelettel", "köszönettel", "üdv", "köszönöm"],
  ro: ["cu stimă", "cu respect", "mulțumesc", "o zi bună"],
  el: ["με εκτίμηση", "ευχαριστώ", "χαιρετισμούς"],
  tr: ["saygılarımla", "teşekkürler", "iyi çalışmalar", "selamlar"],
  ar: ["مع أطيب التحيات", "شكرا", "شكراً", "تحياتي", "مع تحياتي", "وتفضلوا بقبول فائق الاحترام"],
  he: ["בברכה", "תודה", "בתודה"],
  fa: ["با احترام", "با تشکر", "ارادتمند"],
  hi: ["धन्यवाद", "सादर", "भवदीय"],
  zh: ["此致", "谢谢", "謝謝", "敬上", "祝好", "顺颂商祺"],
  ja: ["よろしくお願いします", "よろしくお願いいたします", "敬具", "以上"],
  ko: ["감사합니다", "드림", "고맙습니다"],
};

import { inEachLanguage } from "../words/index.ts";

const WORDINGS = inEachLanguage("unknown_users").map(({ words }) => words);

/** Words for whom a mail is from, in the languages above: an unknown one says nothing of the recipient. */
const SENDER_WORDS =
  "sender|absender|exp[eé]diteur|remitente|remetente|mittente|afzender|avs[aä]ndare|afsender|avsender|l[aä]hett[aä]j|felad[oó]|nadawc|odes[ií]latel|odosielate|expeditor|g[oö]nderen|αποστολ|отправител|відправник|подател|пошиљал|المرسل|فرستنده|שולח|प्रेषक|ผู้ส่ง|người gửi|pengirim|发件人|寄件[人者]|發件人|送信者|差出人|보낸 ?사람|발신자";

const MISSING = WORDINGS.map(({ missing }) => missing).join("|");

/** An IP address is nobody's. */
const somebody = (who: string): string => `(?<!\\bip[- ]?)(?:${who})(?![- ]{0,2}ip\\b)`;

/** A sender that is unknown or invalid, in any of the languages. */
export const UNKNOWN_SENDER = new RegExp(
  `(?:${SENDER_WORDS})[^.。\\n]{0,60}(?:${MISSING})|(?:${MISSING})[^.。\\n]{0,30}(?:${SENDER_WORDS})`,
  "i",
);

/** Nobody has the address: one pattern per language, in either order of words. */
export const UNKNOWN_USERS: readonly RegExp[] = WORDINGS.map(
  ({ who, missing }) =>
    new RegExp(
      `${somebody(who)}[^.。\\n]{0,60}(?:${missing})|(?:${missing})[^.。\\n]{0,30}${somebody(who)}`,
      "i",
    ),
);

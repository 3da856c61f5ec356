import type { SmsEncoding } from "../model/messages.ts";

/** The basic alphabet of GSM-7 (3GPP TS 23.038, section 6.2.1), without the escape to the extension table. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** The extension table (section 6.2.1.1): each of these takes two places. */
const EXTENSION = new Set("\f^{}\\[~]|€");

/** How much fits into a text that is one part, and into each of several, which begin with a header. */
const ROOM = { "GSM-7": { alone: 160, each: 153 }, "UCS-2": { alone: 70, each: 67 } } as const;

/**
 * The alphabet that a text is sent in, and the number of parts that it is billed as. A character of two places is
 * never cut in two.
 */
export function segmentsOf(text: string): { encoding: SmsEncoding; segments: number } {
  const characters = [...text];
  const encoding = characters.every((one) => BASIC.has(one) || EXTENSION.has(one)) ? "GSM-7" : "UCS-2";
  const widthOf = (one: string) => (encoding === "UCS-2" ? one.length : BASIC.has(one) ? 1 : 2);
  const { alone, each } = ROOM[encoding];
  if (characters.reduce((sum, one) => sum + widthOf(one), 0) <= alone) return { encoding, segments: 1 };
  let segments = 1;
  let taken = 0;
  for (const one of characters) {
    const width = widthOf(one);
    if (taken + width > each) {
      segments += 1;
      taken = 0;
    }
    taken += width;
  }
  return { encoding, segments };
}

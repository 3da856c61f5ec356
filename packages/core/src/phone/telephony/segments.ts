import type { SmsEncoding } from "../../model/message-facts.ts";

/** The basic alphabet of GSM-7 (3GPP TS 23.038, section 6.2.1), without the escape to the extension table. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** The extension table (section 6.2.1.1): each of these takes two septets. */
const EXTENSION = new Set("\f^{}\\[~]|€");

/** The capacity of a text with one part, and of each of several parts, which begin with a header. */
const ROOM = { "GSM-7": { alone: 160, each: 153 }, "UCS-2": { alone: 70, each: 67 } } as const;

/**
 * Returns the encoding of a text, and the number of segments that it is billed as. A character of two units is never
 * split.
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

import { expect, test } from "vitest";
import { segmentsOf } from "./segments.ts";

test.for<[text: string, encoding: string, segments: number, why: string]>([
  ["Hi", "GSM-7", 1, "a short text"],
  ["a".repeat(160), "GSM-7", 1, "as much as one part holds"],
  ["a".repeat(161), "GSM-7", 2, "one more"],
  ["a".repeat(306), "GSM-7", 2, "as much as two parts of 153 hold"],
  ["a".repeat(307), "GSM-7", 3, "one more"],
  ["a".repeat(1_600), "GSM-7", 11, "the longest text"],
  ["Ünïcode", "UCS-2", 1, "an ï is not in the alphabet"],
  ["Æsch é à ñ ß Ω Δ £ ¥ ¿ ¡ §", "GSM-7", 1, "these letters are"],
  ["€".repeat(80), "GSM-7", 1, "each euro sign takes two places"],
  ["€".repeat(81), "GSM-7", 2, "one more"],
  [`${"a".repeat(152)}€${"a".repeat(10)}`, "GSM-7", 2, "an escaped character at the border moves on whole"],
  [`${"a".repeat(152)}€${"a".repeat(151)}`, "GSM-7", 2, "the second part is full with it"],
  [`${"a".repeat(152)}€${"a".repeat(152)}`, "GSM-7", 3, "and with one more there is a third"],
  ["[]{}\\~^|", "GSM-7", 1, "the extension table"],
  ["line one\nline two\r\n", "GSM-7", 1, "line ends"],
  ["a\tb", "UCS-2", 1, "a tab is in neither table"],
  ["`", "UCS-2", 1, "nor is a grave accent"],
  ["ç", "UCS-2", 1, "nor a small c with a cedilla, only the capital one"],
  ["я".repeat(70), "UCS-2", 1, "as much as one part of UCS-2 holds"],
  ["я".repeat(71), "UCS-2", 2, "one more"],
  ["я".repeat(134), "UCS-2", 2, "as much as two parts of 67 hold"],
  ["я".repeat(135), "UCS-2", 3, "one more"],
  ["🙂".repeat(35), "UCS-2", 1, "an emoji takes two places"],
  ["🙂".repeat(36), "UCS-2", 2, "one more"],
  ["🙂".repeat(66), "UCS-2", 2, "67 places hold 33 of them: none is cut in two"],
  ["🙂".repeat(67), "UCS-2", 3, "one more"],
  ["", "GSM-7", 1, "nothing"],
])("%j: %s, %d", ([text, encoding, segments]) => {
  expect(segmentsOf(text)).toEqual({ encoding, segments });
});

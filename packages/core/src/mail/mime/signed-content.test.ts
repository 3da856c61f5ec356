import { describe, expect, test } from "vitest";
import { signedInPieces, signedMessage } from "../../../test/signed-mail.ts";
import { signedContent } from "./signed-content.ts";

const long = "Content-Type: text/plain\r\n\r\nGood morning.\r\n".repeat(500);
const textOf = (bytes: Uint8Array) => {
  const content = signedContent(bytes);
  return content && Buffer.from(content).toString();
};

describe("an S/MIME message that holds what it signs", () => {
  test.each([
    ["with lengths", signedMessage(long)],
    ["in pieces, without lengths", signedInPieces(long, 1_000)],
    ["in one piece, without lengths", signedInPieces(long, 1_000_000)],
  ])("is read %s", (_, bytes) => {
    expect(textOf(bytes)).toBe(long);
  });

  test("is none when it is of another type, cut off or not BER", () => {
    const bytes = signedMessage("Hello");
    const enveloped = Buffer.from(bytes.toString("latin1").replace("\x07\x02", "\x07\x03"), "latin1");
    for (const other of [enveloped, Buffer.from("hello"), Buffer.alloc(0), Buffer.alloc(50, 0x24)])
      expect(signedContent(other)).toBeUndefined();
    for (let length = 0; length < bytes.length; length++)
      expect(textOf(bytes.subarray(0, length))).toBeUndefined();
  });

  test("is read in time that grows with its length, also when it has no end", () => {
    const began = process.cpuUsage();
    for (const unit of ["\x24\x80", "\x30\x80", "\x04\x00", "\xa0\x80\x04\x01x"])
      signedContent(Buffer.from(`\x30\x80${unit.repeat(500_000)}`, "latin1"));
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(5_000);
  });
});

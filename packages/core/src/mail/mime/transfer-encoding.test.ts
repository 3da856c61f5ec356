import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBase64 } from "./transfer-encoding.ts";

/** Decodes each run between padding with the runtime's decoder. */
const expected = (text: string) =>
  Buffer.concat(text.split("=").map((run) => Buffer.from(run, "base64"))).toString("hex");

describe("Base64 with padding in the middle", () => {
  test.each([
    ["QQ==Qg==", "AB"],
    ["QUI=\r\nQw==\r\n", "ABC"],
    ["A===QUJD", "ABC"],
    ["Q!Q==*Q-_-", Buffer.concat([Buffer.from("A"), Buffer.from("Q-_-", "base64")]).toString("latin1")],
    ["====", ""],
  ])("%j", (text, decoded) => {
    expect(Buffer.from(decodeBase64(Buffer.from(text))).toString("latin1")).toBe(decoded);
  });

  test("is what its runs are one by one", () => {
    const piece = fc.constantFrom(..."AQUIwz09+/-_=== \r\n!é");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const bytes = Buffer.from(text, "latin1");
        expect(Buffer.from(decodeBase64(bytes)).toString("hex")).toBe(expected(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["A===\r\n", "QQ==\r\n", "A=", "=\r\n", "QUI="])(
    "33 MB of %j take less than 1.5 s of processor time",
    (line) => {
      const bytes = Buffer.from(line.repeat(33_000_000 / line.length));
      const began = process.cpuUsage();
      decodeBase64(bytes);
      const { user, system } = process.cpuUsage(began);
      expect((user + system) / 1_000).toBeLessThan(1_500);
    },
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { parseMail } from "../parse.ts";
import { readTnef } from "./tnef.ts";

const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number) => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);
const HEAD = Buffer.concat([u32(0x22_3e_9f_78), u16(1)]);
const attribute = (level: number, id: number, data: Buffer | string) => {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([Buffer.from([level]), u16(id), u16(6), u32(bytes.length), bytes, u16(0)]);
};
const value = (data: Buffer) => Buffer.concat([u32(data.length), data, Buffer.alloc(-data.length & 3)]);
const property = (type: number, id: number, ...values: Buffer[]) =>
  Buffer.concat([u16(type), u16(id), u32(values.length), ...values.map(value)]);
const list = (...properties: Buffer[]) => Buffer.concat([u32(properties.length), ...properties]);
const wide = (text: string) => Buffer.from(`${text}\0`, "utf16le");
const file = (...attributes: Buffer[]) => [attribute(2, 0x9002, Buffer.alloc(14)), ...attributes];
const tnef = (...attributes: Buffer[]) => joined(attributes);
const joined = (attributes: Buffer[]) => Buffer.concat([HEAD, Buffer.concat(attributes)]);
const shown = (bytes: Buffer) => {
  const read = readTnef(bytes);
  return (
    read && {
      text: read.text,
      files: read.files.map((each) => [each.filename, Buffer.from(each.bytes).toString()]),
    }
  );
};

describe("Outlook's package", () => {
  test("has its files, by their long names, and the plain body", () => {
    const packed = tnef(
      attribute(1, 0x800c, "Hello\r\nBo\0"),
      ...file(
        attribute(2, 0x8010, "REPORT~1.TXT\0"),
        attribute(2, 0x800f, "one"),
        attribute(
          2,
          0x9005,
          list(
            Buffer.concat([u16(3), u16(0x0e20), u32(7)]),
            Buffer.concat([u16(0x1003), u16(0x0e21), u32(2), u32(1), u32(2)]),
            Buffer.concat([
              u16(0x0b),
              u16(0x8001),
              Buffer.alloc(16),
              u32(1),
              u32(5),
              Buffer.from("name5\0\0\0"),
              u32(1),
            ]),
            Buffer.concat([u16(0x40), u16(0x8002), Buffer.alloc(16), u32(0), u32(9), Buffer.alloc(8)]),
            property(0x1f, 0x3707, wide("Report für Bo.txt")),
          ),
        ),
      ),
      ...file(
        attribute(2, 0x8010, "b.pdf\0"),
        attribute(2, 0x9005, list(property(0x0d, 0x3701, Buffer.from(`${"i".repeat(16)}two`)))),
      ),
    );
    expect(shown(packed)).toEqual({
      text: "Hello\nBo",
      files: [
        ["Report für Bo.txt", "one"],
        ["b.pdf", "two"],
      ],
    });
  });

  test("may have the body as a property", () => {
    const packed = tnef(
      attribute(
        1,
        0x9003,
        list(property(0x1f, 0x1000, wide("Hi")), property(0x102, 0x1009, Buffer.from("rtf"))),
      ),
    );
    expect(shown(packed)).toEqual({ text: "Hi", files: [] });
  });

  test("is read as far as it is whole", () => {
    const whole = tnef(
      ...file(attribute(2, 0x8010, "a.txt\0"), attribute(2, 0x800f, "one")),
      ...file(attribute(2, 0x800f, "two")),
    );
    expect(shown(whole.subarray(0, -4))).toEqual({ text: "", files: [["a.txt", "one"]] });
    expect(shown(Buffer.from("no package"))).toBeUndefined();
    expect(shown(Buffer.alloc(0))).toBeUndefined();
  });

  test("never makes it throw, and takes linear time", async () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(bytes, fc.constantFrom(0x9003, 0x9005, 0x8010, 0x800c), (data, id) => {
        readTnef(Buffer.concat([HEAD, data]));
        readTnef(tnef(...file(attribute(2, id, Buffer.from(data)))));
        readTnef(
          tnef(
            ...file(
              attribute(2, id, Buffer.concat([u32(9), property(0x1f, 0x3707, Buffer.from(data)), data])),
            ),
          ),
        );
      }),
      { numRuns: 2_000 },
    );
    const many = joined(Array.from({ length: 200_000 }, () => attribute(2, 0x9002, Buffer.alloc(0))));
    const bodies = attribute(1, 0x9003, list(property(0x1e, 0x1000, Buffer.alloc(400))));
    const long = joined(Array.from({ length: 20_000 }, () => bodies));
    for (const hostile of [many, long])
      expect(await measureThreadCpu(() => readTnef(hostile))).toBeLessThan(2_000);
    expect(readTnef(many)?.files ?? []).toHaveLength(0);
  });
});

describe("a mail with Outlook's package", () => {
  const packed = tnef(
    attribute(1, 0x800c, "Packed words"),
    ...file(attribute(2, 0x8010, "a\u0007.pdf\0"), attribute(2, 0x800f, "one")),
  );
  const mail = (text: string, type: string) =>
    Buffer.from(
      [
        "Content-Type: multipart/mixed; boundary=b",
        "",
        "--b",
        "",
        text,
        "--b",
        type,
        "Content-Transfer-Encoding: base64",
        "",
        packed.toString("base64"),
        "--b--",
      ].join("\r\n"),
    );

  test.each([
    "Content-Type: application/ms-tnef",
    "Content-Type: application/octet-stream; name=WINMAIL.DAT",
  ])("has the files in it: %s", async (type) => {
    const { text, attachments } = await parseMail(mail("See the file.", type));
    expect(text).toBe("See the file.");
    expect(attachments.map(({ filename, content_type }) => [filename, content_type])).toEqual([
      ["a.pdf", "application/pdf"],
      [expect.stringMatching(/^(?:attachment|WINMAIL\.DAT)$/), expect.stringContaining("application/")],
    ]);
  });

  test("has its words where there are no others", async () => {
    expect((await parseMail(mail("", "Content-Type: application/ms-tnef"))).text).toBe("Packed words");
  });
});

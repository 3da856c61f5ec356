import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureLongestTick } from "../../../../test/support/processor-time.ts";
import { emptyPng, qrJpeg, qrPng } from "../../test/qr-picture.ts";
import { createPictureCodes, type ThreadedPictureCodes } from "./picture-reading.ts";
import { pictureSize } from "./picture-size.ts";

/** The longest time that a hostile picture may block the event loop. */
const MAX_BLOCKED_MS = 100;
const LINK = "https://sign-in.elsewhere.test/?for=agent";

let codes: ThreadedPictureCodes;
beforeAll(() => {
  codes = createPictureCodes();
});
afterAll(() => codes.close());

describe("the QR codes of a picture", () => {
  test.each([
    ["a PNG", qrPng],
    ["a JPEG", qrJpeg],
  ])("are read from %s", async (_, draw) => {
    expect(await codes.read(await draw(LINK))).toEqual([LINK]);
  });

  test.each([
    ["what is no picture", Buffer.from("A note of the council, longer than a header of a picture.")],
    ["a picture cut short", Buffer.alloc(0)],
    ["a picture that has only its size", emptyPng(100, 100)],
    ["a picture too small for a code", emptyPng(20, 20)],
    ["a picture with more pixels than are decoded", emptyPng(60_000, 60_000)],
  ])("are none in %s", async (_, bytes) => {
    expect(await codes.read(bytes)).toEqual([]);
  });

  test("are none in a PNG whose data are longer than it says, and the loop isn't blocked", async () => {
    const bomb = Buffer.concat([
      emptyPng(2_000, 2_000).subarray(0, 33),
      chunk("IDAT", deflateSync(Buffer.alloc(50_000_000))),
    ]);
    const blocked = await measureLongestTick(async () => {
      expect(await codes.read(bomb)).toEqual([]);
    });
    expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
    expect(await codes.read(await qrPng(LINK))).toEqual([LINK]);
  });

  test("wait for no more than eight other pictures", async () => {
    const png = await qrPng(LINK);
    const read = await Promise.allSettled(Array.from({ length: 12 }, () => codes.read(png)));
    expect(read.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
    expect(read.filter(({ status }) => status === "rejected")).toHaveLength(3);
  });
});

describe("the size of a picture", () => {
  const gif = Buffer.from("GIF89a\u0010\u0000\u0020\u0000", "latin1");
  const bmp = Buffer.alloc(30);
  bmp.write("BM");
  bmp.writeInt32LE(31, 18);
  bmp.writeInt32LE(-17, 22);
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xff, 0xc2, 0, 17, 8, 0, 21, 0, 34, 3];
  test.each([
    ["a PNG", emptyPng(7, 9), { width: 7, height: 9 }],
    ["a GIF", gif, { width: 16, height: 32 }],
    ["a BMP from top to bottom", bmp, { width: 31, height: 17 }],
    ["a JPEG with other segments first, and a filled marker", Buffer.from(jpeg), { width: 34, height: 21 }],
    ["a JPEG without a frame", Buffer.from(jpeg.slice(0, 9)), null],
    ["a JPEG whose segments are none", Buffer.from([0xff, 0xd8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), null],
    ["a GIF cut short", gif.subarray(0, 8), null],
    ["a text", Buffer.from("A note"), null],
  ])("is stated by %s", (_, bytes, size) => {
    expect(pictureSize(bytes)).toEqual(size);
  });
});

const chunk = (name: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, data, Buffer.alloc(4)]);
};

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { tooLarge } from "../limits.ts";
import { pictureSize } from "./picture-size.ts";

/** Bytes and pixels of a picture that is decoded: a page scanned at 200 dots per inch has 4 million. */
export const MAX_PICTURE_BYTES = 4_000_000;
const MAX_PIXELS = 6_000_000;
/** The smallest code has 21 modules a side (ISO/IEC 18004). */
const MIN_SIDE = 21;
const MAX_CODES = 5;
/** The most that a code can hold (version 40, digits). */
const MAX_CODE_CHARS = 7_089;

// Without its file the module would be loaded from the network.
prepareZXingModule({
  overrides: {
    wasmBinary: new Uint8Array(
      readFileSync(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"))),
    ).buffer,
  },
});

/**
 * The texts of the QR codes in a PNG, JPEG, GIF or BMP, at most five. None for a picture that can't be decoded; fails
 * with an error for `refusalOf` for one that is too large.
 */
export async function readPicture(bytes: Uint8Array): Promise<string[]> {
  const size = pictureSize(bytes);
  if (size === null || size.width < MIN_SIDE || size.height < MIN_SIDE) return [];
  if (bytes.length > MAX_PICTURE_BYTES || size.width * size.height > MAX_PIXELS) throw tooLarge("picture");
  const found = await readBarcodes(bytes, { formats: ["QRCode"], maxNumberOfSymbols: MAX_CODES });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text.slice(0, MAX_CODE_CHARS));
}

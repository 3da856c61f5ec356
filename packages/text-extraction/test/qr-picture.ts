import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";

prepareZXingModule({
  overrides: {
    wasmBinary: new Uint8Array(
      readFileSync(fileURLToPath(import.meta.resolve("zxing-wasm/writer/zxing_writer.wasm"))),
    ).buffer,
  },
});

const write = async (text: string) => {
  const written = await writeBarcode(text, { format: "QRCode", scale: 4, addQuietZones: true });
  if (written.error !== "") throw new Error(written.error);
  return written;
};

/** A PNG of a QR code with a text. */
export async function qrPng(text: string): Promise<Uint8Array> {
  const { image } = await write(text);
  return new Uint8Array((await image?.arrayBuffer()) ?? []);
}

/** Modules of white around a code (ISO/IEC 18004, section 5.3.8). */
const QUIET = 4;

/** A JPEG of a QR code with a text: each module is a block of the format, so that its blocks are plain. */
export async function qrJpeg(text: string): Promise<Uint8Array> {
  const { symbol } = await write(text);
  const side = symbol.width + 2 * QUIET;
  const isBlack = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < symbol.width && y < symbol.height && symbol.data[y * symbol.width + x] === 0;
  let bits = "";
  let before = 0;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const level = isBlack(x - QUIET, y - QUIET) ? -128 : 127;
      bits += `${differenceBits(level - before)}${END_OF_BLOCK}`;
      before = level;
    }
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(0xc0, [8, ...twoBytes(side * 8), ...twoBytes(side * 8), 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, 0, CATEGORIES.length, ...Array.from({ length: 14 }, () => 0), ...CATEGORIES]),
    ...segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    ...segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    ...stuffed(bits),
    ...[0xff, 0xd9],
  ]);
}

/** Bit lengths of the differences between two blocks that occur, with codes of two bits in this order. */
const CATEGORIES = [0, 7, 8];
const END_OF_BLOCK = "0";

function differenceBits(difference: number): string {
  const length = difference === 0 ? 0 : Math.abs(difference).toString(2).length;
  const code = CATEGORIES.indexOf(length).toString(2).padStart(2, "0");
  if (length === 0) return code;
  const value = difference > 0 ? difference : difference + 2 ** length - 1;
  return code + value.toString(2).padStart(length, "0");
}

const segment = (marker: number, bytes: readonly number[]): number[] => [
  ...[0xff, marker],
  ...twoBytes(bytes.length + 2),
  ...bytes,
];

const twoBytes = (value: number): number[] => [value >> 8, value & 255];

/** The bits as bytes, filled with ones; a zero follows 0xFF (ITU-T T.81, section B.1.1.5). */
function stuffed(bits: string): number[] {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return bytes.flatMap((byte) => {
    const value = Number.parseInt(byte.padEnd(8, "1"), 2);
    return value === 255 ? [255, 0] : [value];
  });
}

/** A PNG that states a size, and has nothing else. */
export function emptyPng(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(200);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes);
  bytes.write("IHDR", 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

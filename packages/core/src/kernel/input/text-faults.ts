/** A text that no storage keeps as it is: where it stands, and why. */
export interface TextFault {
  path: string[];
  words: string;
}

const HALF = "must be well-formed Unicode: it has half of a surrogate pair";
const NUL = "must not have a NUL character";
/** Deeper input is refused before it is looked at here. */
const MAX_DEPTH = 100;

/**
 * Finds a text in an input, or a name of a field, that isn't well-formed Unicode, or has a NUL outside the fields of
 * `bodies`. Linear in the input's size.
 */
export function textFault(input: Record<string, unknown>, bodies: readonly string[]): TextFault | undefined {
  for (const [field, value] of Object.entries(input)) {
    const fault = faultOf(field, []) ?? faultOf(value, [field], bodies.includes(field));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(value: unknown, path: string[], is_body = false): TextFault | undefined {
  if (typeof value === "string") {
    if (!value.isWellFormed()) return { path, words: HALF };
    return !is_body && value.includes("\0") ? { path, words: NUL } : undefined;
  }
  if (typeof value !== "object" || value === null || path.length > MAX_DEPTH) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const fault = (Array.isArray(value) ? undefined : faultOf(key, path)) ?? faultOf(inner, [...path, key]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

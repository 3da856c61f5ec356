/** Deep-copies a JSON value; undefined fields are dropped, as in JSON. */
export function copyJson<T>(value: T): T {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item ?? null)) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) setField(copy, name, copyJson(field));
  }
  return copy as T;
}

/** Assigning `__proto__` would set the prototype instead of a field. */
function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") {
    target[name] = value;
    return;
  }
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

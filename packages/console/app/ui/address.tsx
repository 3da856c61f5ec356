import { shown } from "./shown.ts";

/** A name or address as `shown`; where it doesn't fit on a line, it breaks after its @ first. */
export function breakable<T>(value: T) {
  const text = shown(value);
  if (typeof text !== "string") return text;
  const at = text.indexOf("@") + 1;
  return at === 0 ? (
    text
  ) : (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}

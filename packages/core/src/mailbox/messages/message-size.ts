import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";

interface Bodies {
  text?: string | null | undefined;
  html?: string | null | undefined;
}

/** The field that most of a message is in: what to make smaller. */
export function largestField(
  { text, html }: Bodies,
  attached_bytes: number,
): "attachments" | "html" | "text" {
  if (attached_bytes > bodyBytes({ text, html })) return "attachments";
  return (html ?? "").length > (text ?? "").length ? "html" : "text";
}

/** Returns the bytes of bodies in UTF-8. */
export const bodyBytes = ({ text, html }: Bodies): number =>
  Buffer.byteLength(text ?? "") + Buffer.byteLength(html ?? "");

/**
 * Fails with `message_too_large` for a message with that many bytes of bodies and attachments, decoded. `param` is the
 * field with most of them.
 */
export function checkMessageBytes(bytes: number, param: string): void {
  if (bytes > LIMITS.message_bytes) throw fail("message_too_large", { param });
}

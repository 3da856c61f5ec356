import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";

/** Returns the bytes of bodies in UTF-8. */
export const bodyBytes = ({
  text,
  html,
}: {
  text?: string | null | undefined;
  html?: string | null | undefined;
}): number => Buffer.byteLength(text ?? "") + Buffer.byteLength(html ?? "");

/** Fails with `message_too_large` for a message with that many bytes of bodies and attachments, decoded. */
export function checkMessageBytes(bytes: number): void {
  if (bytes > LIMITS.message_bytes) throw fail("message_too_large");
}

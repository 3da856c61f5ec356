import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";

/** Fails with `missing_text`, `text_too_long`, `missing_say` or `say_too_long`. */
export function checkWords({ kind, text }: { kind: "sms" | "call"; text: string }): void {
  const call = kind === "call";
  if (text.trim() === "") throw fail(call ? "missing_say" : "missing_text", { param: "text" });
  if (text.length > (call ? LIMITS.say_chars : LIMITS.sms_chars))
    throw fail(call ? "say_too_long" : "text_too_long", { param: "text" });
}

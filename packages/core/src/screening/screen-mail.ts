import type { Parts } from "../context.ts";
import type { ParsedMail } from "../inbound/parsed-mail.ts";
import type { MessageAuth } from "../messages/schema.ts";
import type { Safety, ScreeningMode } from "./schema.ts";
import { type ScreeningInput, screen, toSafety } from "./screen.ts";

/** What screening is told of the sender beside the mail. */
export interface ScreenedSender {
  authenticated: boolean;
  known: boolean;
  trusted: boolean;
  /** The display name, where an authenticated sender with another address goes by it; else null. */
  display_name_of_known: string | null;
  auth: MessageAuth;
}

/**
 * Screens a mail within the deployment's time and says what came of it. It never throws and never drops mail: trouble is a reason
 * in the answer, and at the time-out the cheap signals stand (decisions, section 12a).
 */
export async function screenMail(
  { clock, options, log }: Pick<Parts, "clock" | "options" | "log">,
  mode: ScreeningMode,
  mail: ParsedMail,
  { auth, ...sender }: ScreenedSender,
): Promise<Safety> {
  if (mode === "off") return toSafety("screening_off", mode);
  const end = clock.now().getTime() + options.screening_timeout_ms;
  const input: ScreeningInput = { mail, sender: { ...sender, ...auth } };
  try {
    return toSafety(screen(input, { deadline: () => clock.now().getTime() > end }), mode);
  } catch (error) {
    log.error({ error }, "screening failed");
    return toSafety("screening_error", mode);
  }
}

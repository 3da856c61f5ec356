import type { Services } from "../kernel/context.ts";
import { judge, toSafety } from "../mail/screening/screen.ts";

import type { MessageAuth } from "../model/messages.ts";
import type { ReadMail } from "../model/read-mail.ts";
import type { Safety, ScreeningMode } from "../model/screening.ts";

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
 * Says what came of screening: what was found in the mail's content when it was read, and what is known of
 * its sender. It never throws and never drops mail: trouble is a reason in the answer, and at the time-out
 * the cheap signals stand (decisions, section 12a).
 */
export async function screenMail(
  { log }: Pick<Services, "log">,
  mode: ScreeningMode,
  mail: ReadMail,
  { auth, ...sender }: ScreenedSender,
): Promise<Safety> {
  const { screened } = mail;
  if (mode === "off" || screened === null) return toSafety("screening_off", mode);
  try {
    if ("error" in screened) throw new Error(screened.error);
    return toSafety(judge({ mail, sender: { ...sender, ...auth } }, screened), mode);
  } catch (error) {
    log.error({ error }, "screening failed");
    return toSafety("screening_error", mode);
  }
}

import type { Services } from "../../../kernel/context.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import { toSafety } from "../../../mail/screening/score/score.ts";
import type { MessageAuth } from "../../../model/message-facts.ts";
import type { ReadMail } from "../../../model/read-mail.ts";
import type { Safety, ScreeningMode } from "../../../model/screening.ts";

const loadScreen = loadOnce(() => import("../../../mail/screening/screen.ts"));

/** The facts about the sender that screening uses. */
export interface SenderFacts {
  authenticated: boolean;
  known: boolean;
  /** The inbox wrote to another address of its organisation. */
  organisation_known: boolean;
  trusted: boolean;
  /** The display name when an authenticated sender with another address used it before; else null. */
  display_name_of_known: string | null;
  /** A known address asks for replies to another organisation's address that has no history with the inbox. */
  reply_to_changed: boolean;
  auth: MessageAuth;
}

/**
 * The screening verdict, from the content signals found while reading and the facts about the sender. Never drops mail: an
 * error becomes the verdict's reason, and after a timeout the cheap signals decide.
 */
export async function screenMail(
  { log }: Pick<Services, "log">,
  mode: ScreeningMode,
  mail: ReadMail,
  { auth, ...sender }: SenderFacts,
): Promise<Safety> {
  const { screened } = mail;
  if (mode === "off" || screened === null) return toSafety("screening_off", mode);
  // Not within: if it can't be loaded, the mail comes again later.
  const { judgeMail } = await loadScreen();
  try {
    if ("error" in screened) throw new Error(screened.error);
    return toSafety(judgeMail({ mail, sender: { ...sender, ...auth } }, screened), mode);
  } catch (error) {
    log.error({ error }, "screening failed");
    return toSafety("screening_error", mode);
  }
}

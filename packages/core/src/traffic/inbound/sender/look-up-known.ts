import type { Services } from "../../../kernel/context.ts";
import { webhooksOf } from "../../../kernel/events/deliveries.ts";
import { lookUpSenderLists } from "../../../mailbox/lists/index.ts";
import { isAwaited } from "../../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { Evidence } from "../evidence.ts";
import { lookUpAuthor } from "./look-up-sender.ts";
import { findParent } from "./read-as-reply.ts";

/** Everything that an inbox and its account know that bears on an ordinary mail. */
export type Known = Awaited<ReturnType<typeof lookUpKnown>>;

/** Looks up at once what an inbox and its account know of a mail. */
export async function lookUpKnown(
  services: Services,
  inbox: InboxRecord,
  evidence: Pick<Evidence, "mail" | "letter" | "redacted">,
) {
  const { mail } = evidence;
  const [lists, stated, webhooks, parent, awaited] = await Promise.all([
    lookUpSenderLists(services, inbox, mail),
    lookUpAuthor(services, inbox, mail),
    webhooksOf(services, inbox.account_id),
    findParent(services, inbox, evidence),
    isAwaited(services, inbox.id, mail.message_id),
  ]);
  return { lists, stated, webhooks, parent, awaited };
}

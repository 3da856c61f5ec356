import { inChargeAmong } from "../../kernel/access/authority.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { SuppressionRecord } from "../../model/suppressions.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { term } from "../messages/terms.ts";
import { mayLift } from "./rules.ts";
import { normalizeSuppressed } from "./suppress.ts";

/** Suppressed addresses of one mail that are looked at. */
const MAX_SUPPRESSED = 200;
/** The number of a suppressed person's newest mails searched for one that lifts the suppression. */
const MAX_MAILS = 5;

/** The inbox that would send. */
type Sending = { storage: StorageReader; inbox: InboxRecord };

/** The suppressions of an account that concern the recipients of one mail. */
export interface Suppressed {
  /** The first recipient that is suppressed. */
  by: Pick<SuppressionRecord, "address" | "reason"> | undefined;
  /** The suppressions that their own people have lifted, to be deleted when the mail leaves. */
  lifted: string[];
}

/**
 * Looks the recipients of a mail up among the suppressed. People in charge never are, and people who wrote to the
 * inbox after they opted out or complained have lifted the suppression themselves.
 */
export async function suppressedAmong(sending: Sending, recipients: readonly string[]): Promise<Suppressed> {
  const lifted: string[] = [];
  if (recipients.length === 0) return { by: undefined, lifted };
  const { storage, inbox } = sending;
  const { account_id } = inbox;
  const keys = [...new Set(recipients.map(normalizeSuppressed))];
  const found = await storage.find("suppressions", {
    where: { account_id, address: { in: keys } },
    limit: MAX_SUPPRESSED,
  });
  if (found.length === 0) return { by: undefined, lifted };
  const in_charge = await inChargeAmong(
    storage,
    account_id,
    found.map(({ address }) => address),
  );
  for (const each of found) {
    if (in_charge.has(each.address)) continue;
    if (!(mayLift(each, "recipient", true) && (await wroteSince(sending, each)))) return { by: each, lifted };
    lifted.push(each.id);
  }
  return { by: undefined, lifted };
}

/**
 * Whether a person wrote to the inbox, or to the one that they were suppressed for, after the suppression: mail
 * proven to be a person's, and no automatic reply.
 */
async function wroteSince(
  { storage, inbox }: Sending,
  { address, inbox_id, created_at }: SuppressionRecord,
): Promise<boolean> {
  const ids = [...new Set([inbox.id, ...(inbox_id === null ? [] : [inbox_id])])];
  const mails = (await Promise.all(ids.map((id) => newestFrom(storage, id, address)))).flat();
  for (const mail of mails.filter((each) => each.direction === "inbound" && each.created_at > created_at)) {
    const { decisions = null } = (await storage.get("message_bodies", mail.id)) ?? {};
    const { strong = null, weak = null } = decisions?.automatic ?? {};
    if (decisions?.proof === "person" && strong === null && weak === null) return true;
  }
  return false;
}

async function newestFrom(storage: Pick<StorageReader, "find">, inbox_id: string, address: string) {
  const rows = await storage.find("message_terms", {
    where: { inbox_id, term: term.from(address) },
    order: { by: "message_id", direction: "desc" },
    limit: MAX_MAILS,
  });
  const ids = rows.map(({ message_id }) => message_id);
  return ids.length === 0 ? [] : storage.find("messages", { where: { id: { in: ids } }, limit: MAX_MAILS });
}

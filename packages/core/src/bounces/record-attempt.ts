import type { Parts } from "../context.ts";
import { countSending } from "../health/count.ts";
import type { MessageRecord } from "../messages/schema.ts";
import type { RecipientResult } from "../ports/transport.ts";
import { suppressAfter } from "../suppressions/suppress.ts";
import type { Work } from "../unit-of-work.ts";
import { classify, statusIn } from "./classify.ts";
import { domainOf } from "./verp.ts";

/**
 * Counts an attempt to send for sending health: whoever accepted was sent to. A server that refuses the address in the dialogue itself
 * says what a hard bounce says, so it counts and suppresses as one. Recipients within this service don't count.
 */
export async function recordAttempt(
  { makeId, options }: Pick<Parts, "makeId" | "options">,
  work: Work,
  message: MessageRecord,
  results: readonly RecipientResult[],
  now: Date,
): Promise<void> {
  const outside = results.filter(({ recipient }) => domainOf(recipient) !== options.mail_domain);
  const accepted = outside.filter(({ outcome }) => outcome === "accepted");
  const refused = outside.filter(({ outcome, detail }) => outcome === "permanent_failure" && isHard(detail));
  await countSending(work, message.account_id, { sent: accepted.length + refused.length, bounced: refused.length }, now);
  for (const { recipient } of refused) await suppressAfter(work, makeId, message, { address: recipient, reason: "bounce" }, now);
}

const isHard = (detail: string): boolean => classify({ text: detail, status: statusIn(detail), stage: "rcpt" }).hard;

import { countSending } from "../health/index.ts";
import type { Services } from "../kernel/context.ts";
import { isDeliveredHere } from "../kernel/inbox-domain.ts";
import type { Work } from "../kernel/work.ts";
import { classifyRefusal, stageIn, statusIn } from "../mail/reports/classify.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { RecipientResult } from "../ports/transport.ts";

/**
 * Counts a delivery attempt for sending health: accepted recipients as sent, and recipients refused as
 * unknown in the SMTP dialogue as sent and bounced. These are not suppressed, since the refusal may be a
 * relay's own; `message.failed` reports it. Recipients within this service don't count.
 */
export async function recordAttempt(
  services: Pick<Services, "options">,
  work: Work,
  message: MessageRecord,
  results: readonly RecipientResult[],
  now: Date,
): Promise<void> {
  const here = await Promise.all(results.map(({ recipient }) => isDeliveredHere(services, work, recipient)));
  const outside = results.filter((_, index) => here[index] !== true);
  const accepted = outside.filter(({ outcome }) => outcome === "accepted").length;
  const refused = outside.filter(
    ({ outcome, detail }) => outcome === "permanent_failure" && isHard(detail),
  ).length;
  await countSending(work, message.account_id, { sent: accepted + refused, bounced: refused }, now);
}

const isHard = (detail: string): boolean =>
  classifyRefusal({ text: detail, status: statusIn(detail), stage: stageIn(detail) ?? "rcpt" }).hard;

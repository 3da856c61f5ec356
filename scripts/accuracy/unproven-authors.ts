import type { SenderFacts } from "../../packages/core/src/model/sender-facts.ts";
import { forgedFrom } from "../../packages/core/testing/index.ts";
import {
  answer,
  DAY_MS,
  type Line,
  OWNER,
  open,
  type Played,
  receive,
  type Tally,
  tally,
} from "./guarded-inbox.ts";
import { CANNED } from "./own-conversations.ts";

/** A mail of a domain that publishes nothing by which anybody could prove who writes. */
const proven_by_nothing = (domain: string): SenderFacts => ({
  ...forgedFrom(domain),
  ...{ spf: { result: "none", domain }, dmarc: null },
});

/** Replies to mail that nothing proves: to all, and to whom an answer had left before. */
interface UnprovenTallies {
  all: Tally;
  answered: Tally;
}

/**
 * Plays mails as proven by nothing: an owner approves each answer to the first half, and says or doesn't say that its
 * recipients are remembered; replies to the second half are judged.
 */
async function playUnproven(
  mails: readonly Played[],
  into: UnprovenTallies,
  remember_recipients: boolean,
): Promise<void> {
  const guarded = await open();
  const { service, account } = guarded;
  const inbox_id = account.inbox.id;
  const owner = service.letterslot.asOwner({ email: OWNER, account_id: account.account_id });
  const ordered = mails.toSorted((one, other) => one.at - other.at);
  const half = Math.floor(ordered.length / 2);
  const answered = new Set<string>();
  for (const [nth, mail] of ordered.entries()) {
    const gap = nth === 0 ? 0 : mail.at - (ordered[nth - 1]?.at ?? mail.at);
    await service.clock.advance(Math.min(Math.max(gap, 60_000), DAY_MS));
    const message_id = await receive(guarded, mail, proven_by_nothing);
    if (message_id === undefined) continue;
    if (nth < half) {
      const text = CANNED[nth % CANNED.length] ?? "";
      // A reply that is refused, such as one to an address that can't be written to, leaves no history.
      const reply = await account.as.messages.reply({ inbox_id, message_id, text }).catch(() => undefined);
      if (reply?.object === "draft" && reply.approval_id !== null) {
        const { approval_id } = reply;
        const { digest } = await account.as.approvals.get({ approval_id });
        const decision = { approval_id, decision: "approve" as const, digest, remember_recipients };
        await owner.approvals.decideInSession(decision);
      }
      await service.work();
      if (reply !== undefined) answered.add(mail.from.toLowerCase());
      continue;
    }
    const here = tally();
    await answer(guarded, mail, message_id, here);
    for (const sum of answered.has(mail.from.toLowerCase()) ? [into.all, into.answered] : [into.all]) {
      sum.judged += here.judged;
      sum.held.push(...here.held);
    }
  }
}

/** What is held of replies to the same mail where nothing proves its authors. */
export async function unproven(set: string, boxes: Iterable<readonly Played[]>): Promise<Line[]> {
  const lines: Line[] = [];
  for (const remembered of [false, true]) {
    const into: UnprovenTallies = { all: tally(), answered: tally() };
    for (const mails of boxes) await playUnproven(mails, into, remembered);
    const how = remembered ? "approved and remembered" : "approved";
    lines.push(
      { set: `${set}, unproven; earlier answers ${how}`, goal: 1, ...into.all },
      { set: `${set}, unproven; to whom an ${how} answer had left`, goal: 1, ...into.answered },
    );
  }
  return lines;
}

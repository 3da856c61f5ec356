import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { channels, type Work } from "../../kernel/work.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import type { ExpectationRecord } from "../../model/expectations.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { type ArrivedMail, type Choice, chooseExpectation, hasRoom, withNearMiss } from "./rules.ts";

/** The texts of a mail in which codes and links are looked for. */
interface Words {
  subject: string;
  extracted_text: string;
  text: string | null;
  html: string | null;
  is_reply: boolean;
}

/** A mail that does nothing to expectations. */
export const NOTHING_EXPECTED: Choice = { meets: [], near: [] };

/** Whether something may be expected in an inbox now. Its record says so, so that nothing is read for other inboxes. */
export const mayExpect = ({ expects_until }: Pick<InboxRecord, "expects_until">, now: Date): boolean =>
  expects_until !== null && expects_until > iso(now);

/** Finds what a mail does to the expectations of its inbox, where it may expect some, before the mail is stored. */
export async function findExpected(
  services: Services,
  inbox: InboxRecord,
  { words, ...mail }: Omit<ArrivedMail, "has_code" | "has_link"> & { words: Words },
): Promise<Choice> {
  const waiting = await services.storage.find("expectations", {
    where: { inbox_id: inbox.id, status: "waiting" },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.open_expectations_per_inbox,
  });
  const looks = waiting.some(({ kind }) => kind === "code" || kind === "link");
  const { codes, links } = looks
    ? await workOnContent(services.contentWorker, "findInMail", words)
    : { codes: [], links: [] };
  return chooseExpectation(waiting, { ...mail, has_code: codes.length > 0, has_link: links.length > 0 });
}

/**
 * Notes in the transaction that stores or releases a mail which expectation it meets: the first that nothing else has met
 * or ended since, and for which it was a near miss.
 */
export async function meetExpectation(
  work: Work,
  { meets, near }: Choice,
  { id: message_id, thread_id }: Pick<MessageRecord, "id" | "thread_id">,
  now: Date,
): Promise<void> {
  for (const { id, near_misses } of meets) {
    const [met] = await work.update(
      "expectations",
      { id, status: "waiting" },
      {
        ...{ status: "met", message_id, met_at: iso(now) },
        near_misses: near_misses.filter((miss) => miss.message_id !== message_id),
      },
    );
    if (met === undefined) continue;
    announce(work, met, thread_id);
    break;
  }
  if (near.length > 0) await noteNearMisses(work, near, message_id);
}

/** Notes that a mail just missed expectations: one read, and one write for all that missed the same mails before. */
async function noteNearMisses(work: Work, near: Choice["near"], message_id: string): Promise<void> {
  const reasons = new Map(near.map(({ id, reason }) => [id, reason]));
  const where = { id: { in: [...reasons.keys()] }, status: "waiting" } as const;
  const alike = new Map<string, { ids: string[]; near_misses: ExpectationRecord["near_misses"] }>();
  for (const expectation of await work.find("expectations", { where, limit: near.length })) {
    const reason = reasons.get(expectation.id);
    if (reason === undefined || !hasRoom(expectation)) continue;
    const near_misses = withNearMiss(expectation, { message_id, reason });
    const key = JSON.stringify(near_misses);
    alike.set(key, { ids: [...(alike.get(key)?.ids ?? []), expectation.id], near_misses });
  }
  for (const { ids, near_misses } of alike.values())
    await work.update("expectations", { id: { in: ids }, status: "waiting" }, { near_misses });
}

function announce(
  work: Work,
  { id, inbox_id, message_id, kind }: ExpectationRecord,
  thread_id: string,
): void {
  const data = { expectation_id: id, inbox_id, kind, message_id: message_id ?? "", thread_id };
  work.publish({ type: "expectation.met", inbox_id, data });
  work.wake(channels.expectation(id));
}

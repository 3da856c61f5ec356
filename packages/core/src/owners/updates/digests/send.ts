import { newLetterWord } from "../../../catalogue/letter-words.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { isSuspended } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { stateOf } from "../../../kernel/inbox/state.ts";
import type { Work } from "../../../kernel/work.ts";
import { sendLetter } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import { addressToOwner } from "../../../model/owners.ts";
import { digestLetters } from "../../notifications/digest.ts";
import { newOwnerPages, unsubscribeHeaders } from "../../notifications/owner-pages.ts";
import { wholeInDigest } from "../../notifications/whole.ts";
import { effectiveStyle } from "../../owners/rules.ts";
import { withinCaps } from "../caps.ts";
import { addUpdateLetters, answerPage, answerSecrets } from "../questions/answer-token.ts";
import { numberQuestions, questionState } from "../questions/rules.ts";
import { planFor } from "../rules.ts";
import { isDigestDay } from "./rules.ts";

/** The number of updates and letters sent. */
export interface SentDigest {
  updates: number;
  sent: number;
}

const NOTHING: SentDigest = { updates: 0, sent: 0 };

/**
 * Sends all of an owner's queued updates in one letter, in the caller's transaction. `capped`: an agent asked
 * for it, so it counts against the rate limits and waits when they are reached. Updates that the owner no
 * longer wants are skipped.
 */
export async function sendDigest(
  services: Services,
  work: Work,
  owner_id: string,
  { now, capped }: { now: Date; capped: boolean },
): Promise<SentDigest> {
  const owner = await work.get("owners", owner_id);
  const inbox = owner === undefined ? undefined : await work.get("inboxes", owner.inbox_id);
  const account = owner === undefined ? undefined : await work.get("accounts", owner.account_id);
  if (owner === undefined || inbox === undefined || account === undefined) return NOTHING;
  const queued = await work.find("update_deliveries", {
    where: { owner_id, status: "queued" },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.digest_updates,
  });
  if (queued.length === 0) return NOTHING;
  const ids = { id: { in: queued.map(({ id }) => id) }, status: "queued" as const };
  const plan = planFor({ ...owner, digest: "immediate" }, true);
  if (plan !== "send") {
    await work.update("update_deliveries", ids, { status: "skipped", reason: plan.reason });
    return NOTHING;
  }
  if (stateOf(inbox, now) !== "active" || (await isSuspended(work, inbox.account_id))) return NOTHING;

  const found = await work.find("updates", {
    where: { id: { in: queued.map(({ update_id }) => update_id) } },
    limit: queued.length,
  });
  const carried = numberQuestions(
    found
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((update) => {
        const open = update.question !== null && questionState(update, iso(now)) === "open";
        return { update, token: open ? newLetterWord() : null };
      }),
  );
  const asks = carried.some(({ token }) => token !== null);
  if (!asks && !isDigestDay(owner, now)) return NOTHING;
  if (capped && !(await withinCaps(work, owner, now))) return NOTHING;
  const pages = newOwnerPages(services);
  const letters = digestLetters({
    updates: carried.map(({ update, token, number }) => ({
      ...update,
      number,
      answer_url: token === null ? null : answerPage(services, token),
    })),
    style: effectiveStyle(owner, account).style,
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    ...pages,
  });
  const letter = await sendLetter(services, work, {
    kind: "digest",
    inbox,
    to: addressToOwner(owner),
    ...letters,
    sealed_headers: unsubscribeHeaders(pages),
    owner_id: owner.id,
    secrets: [...pages.secrets, ...answerSecrets(carried)],
    now,
  });
  await work.update("update_deliveries", ids, { status: "sent", mode: "digest", message_id: letter.id });
  const whole = wholeInDigest(carried.map(({ update }) => update));
  addUpdateLetters(
    work,
    letter,
    owner,
    carried.map((each) => ({ ...each, whole: whole.has(each.update) })),
  );
  return { updates: carried.length, sent: 1 };
}

import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import type { LetterSubjects } from "../../kernel/letters/letter-token.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { sendLetter } from "../../mailbox/messages/index.ts";
import { addressToOwner, type OwnerRecord, type OwnerRequest } from "../../model/owners.ts";
import { newOwnerPages } from "../notifications/owner-pages.ts";
import { changedPreferences, preferencesChangedLetters } from "../notifications/preferences-changed.ts";
import { unsubscribeOwner } from "./unsubscribe.ts";

const HOUR_MS = 3600_000;

/**
 * Saves an owner's choices on their own page. A style or note set there can't be changed through the API; clearing
 * both unlocks it. Choosing how often updates come also resubscribes an unsubscribed owner. A change by a letter's
 * link alone (`in_session` false) is reported to the owner by letter; fails with `rate_limited` when there were too
 * many.
 */
export async function chooseStyle(
  services: Services,
  { id, account_id }: OwnerRecord,
  { email_style, email_style_note, updates }: OwnerRequest,
  { in_session, now }: { in_session: boolean; now: Date },
): Promise<void> {
  const styled = email_style !== undefined || email_style_note !== undefined;
  if (!styled && updates === undefined) throw fail("missing_change");
  await unitOfWork(services, account_id, now, async (work) => {
    const owner = await work.get("owners", id);
    if (owner === undefined) throw fail("owner_link_invalid", { param: "token" });
    if (styled) {
      const style = email_style === undefined ? owner.email_style : email_style;
      const note = (email_style_note === undefined ? owner.email_style_note : email_style_note) || null;
      const chosen = {
        email_style: style,
        email_style_note: note,
        style_locked: style !== null || note !== null,
      };
      await work.update("owners", { id }, chosen);
    }
    if (updates === "off") await unsubscribeOwner(work, owner, now);
    if (updates === "immediate" || updates === "daily")
      await work.update("owners", { id }, { digest: updates, unsubscribed_at: null });
    if (!in_session) await tellOfChange(services, work, owner, now);
  });
}

/** Tells an owner by letter what was changed; `before` is the earlier state. */
async function tellOfChange(services: Services, work: Work, before: OwnerRecord, now: Date): Promise<void> {
  const owner = await work.get("owners", before.id);
  const inbox = await work.get("inboxes", before.inbox_id);
  const changes = owner === undefined ? [] : changedPreferences(before, owner);
  if (owner === undefined || inbox === undefined || changes.length === 0) return;
  await countOrFail(
    work,
    {
      name: `preferences:${owner.id}`,
      max: LIMITS.preference_changes_per_owner_hour,
      window_ms: HOUR_MS,
    },
    now,
  );
  const { email: inbox_email, display_name } = inbox;
  const { style_url, secrets } = newOwnerPages(services);
  await sendLetter(services, work, {
    kind: "preferences_changed",
    inbox,
    to: addressToOwner(owner),
    ...preferencesChangedLetters({ inbox_email, display_name, changes, style_url }),
    owner_id: owner.id,
    secrets,
    now,
  });
}

/** The owner whose letters contain the token, and their inbox. Fails with `owner_link_invalid`. */
export async function ownerByToken(
  { storage }: Pick<Services, "storage">,
  token: string,
  now: Date,
): Promise<LetterSubjects["owner"]> {
  const secret = await findLetterSecret({ storage }, token, ["page", "unsubscribe"], now);
  const owner = secret?.owner_id == null ? undefined : await storage.get("owners", secret.owner_id);
  const inbox = owner === undefined ? undefined : await storage.get("inboxes", owner.inbox_id);
  if (secret === undefined || owner === undefined || inbox === undefined)
    throw fail("owner_link_invalid", { param: "token" });
  return { secret, owner, inbox };
}

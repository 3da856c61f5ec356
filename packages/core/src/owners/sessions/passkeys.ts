import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import type { OwnerCaller } from "../../kernel/access/caller.ts";
import type { PublicContext, Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { PasskeyAssertion, PasskeyRecord } from "../../model/passkeys.ts";
import type { AuthorityRecord, SessionRecord } from "../../model/people.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { passkeysLetter } from "../notifications/passkeys.ts";
import { countsIn, mustConfirm, passkeysOf, verifyAssertion } from "../passkeys/index.ts";
import { mailFromNoReply } from "./mail-from-no-reply.ts";
import { isRecent } from "./rules.ts";

/** The session that a person acts in. Fails with `recent_sign_in_required` unless it was made within 10 minutes. */
export async function recentSession(
  { storage, now }: Pick<PublicContext, "storage" | "now">,
  { session_id }: OwnerCaller,
): Promise<SessionRecord> {
  const session = session_id === null ? undefined : await storage.get("sessions", session_id);
  if (session === undefined || !isRecent(session, now)) throw fail("recent_sign_in_required");
  return session;
}

/** A person's passkeys that count where an inbox of theirs asks for passkeys: one of them confirms changes. */
export async function confirmingPasskeys(
  services: Pick<Services, "options" | "storage">,
  email: string,
  now: Date,
): Promise<PasskeyRecord[]> {
  const { storage } = services;
  const passkeys = await passkeysOf(storage, email);
  if (passkeys.length === 0) return [];
  const authorities = await authoritiesOf(services, storage, email);
  const asking = await Promise.all(
    authorities.map(async (authority) => ((await asksForPasskeys(storage, authority)) ? [authority] : [])),
  );
  const there = asking.flat();
  const counting = passkeys.filter((passkey) =>
    there.some((authority) => countsIn(passkey, [authority], now)),
  );
  return mustConfirm(there.length > 0, counting.length) ? counting : [];
}

/** A person's passkeys that count somewhere, and of them those that nobody ended anywhere: only these vouch for others. */
export async function trustedPasskeys(
  services: Pick<Services, "options" | "storage">,
  email: string,
  now: Date,
): Promise<{ counting: PasskeyRecord[]; trusted: PasskeyRecord[] }> {
  const [all, authorities] = await Promise.all([
    passkeysOf(services.storage, email),
    authoritiesOf(services, services.storage, email),
  ]);
  const trusted = all.filter((passkey) => countsIn(passkey, authorities, now));
  const counts = (passkey: PasskeyRecord) =>
    trusted.includes(passkey) || authorities.some((authority) => countsIn(passkey, [authority], now));
  return { counting: all.filter(counts), trusted };
}

/** Whether an inbox that an authority covers asks for passkeys; of a workspace's, the account owners of its parent have charge too. */
async function asksForPasskeys(
  storage: Pick<StorageReader, "find" | "get">,
  { account_id, inbox_id }: AuthorityRecord,
): Promise<boolean> {
  if (inbox_id !== null) return (await storage.get("inboxes", inbox_id))?.approve_with === "passkey";
  const workspaces = await storage.find("workspaces", {
    where: { parent_account_id: account_id },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.list_max,
  });
  const accounts = [account_id, ...workspaces.map((workspace) => workspace.account_id)];
  const found = await Promise.all(
    accounts.map((each) =>
      storage.find("inboxes", { where: { account_id: each, approve_with: "passkey" }, limit: 1 }),
    ),
  );
  return found.flat().length > 0;
}

/**
 * Verifies the older passkey that confirms a change, and answers it. Fails with `passkey_required` without it, or
 * `passkey_invalid`.
 */
export async function confirmChange(
  ctx: PublicContext,
  { email, session_id }: OwnerCaller,
  assertion: PasskeyAssertion | undefined,
  among: readonly PasskeyRecord[],
): Promise<PasskeyRecord> {
  if (assertion === undefined) throw fail("passkey_required", { param: "confirm" });
  const asked = { purpose: "confirm" as const, session_id, email };
  const { passkey } = await verifyAssertion(ctx, assertion, asked, ctx.now);
  if (!among.some(({ id }) => id === passkey.id)) throw fail("passkey_invalid", { param: "confirm" });
  return passkey;
}

/** The change to a person's passkeys. */
export type PasskeyChange = "added" | "removed" | "removed_by_operator" | "ended";

/** Removes a passkey, and tells its person; false if it was removed before. */
export async function removePasskey(
  services: Pick<Services, "storage" | "queue" | "makeId">,
  { id, email, name }: PasskeyRecord,
  what: "removed" | "removed_by_operator",
  now: Date,
): Promise<boolean> {
  const removed = await services.storage.transaction(async (tx) => {
    if ((await tx.delete("passkeys", { id })) === 0) return false;
    tx.append("jobs", [letterJob(services, { email, name, what, subject_id: id }, now)]);
    return true;
  });
  await services.queue.send(now);
  return removed;
}

/** The job that tells a person that their passkeys changed: written with the change. */
export const letterJob = (
  { makeId }: Pick<Services, "makeId">,
  { email, what, name, subject_id }: { email: string; what: PasskeyChange; name: string; subject_id: string },
  now: Date,
): JobRecord => ({
  id: makeId("job"),
  kind: "passkeys.letter",
  subject_id,
  payload: { email, what, name },
  due_at: iso(now),
  attempts: 0,
  lease: null,
  created_at: iso(now),
});

/** Tells a person that their passkeys changed. */
export async function sendPasskeysLetter(services: Services, job: JobRecord): Promise<void> {
  const { email, what, name } = job.payload;
  if (typeof email !== "string" || typeof name !== "string") return endJob(services.storage, job);
  const { baseUrl: base_url } = services.options;
  await mailFromNoReply(services, job, {
    kind: "passkeys",
    email,
    account_id: null,
    letter: passkeysLetter({
      ...{ what: what as PasskeyChange, name, page: `${base_url}/api/v1/owners/sign-in` },
      host: new URL(base_url).host,
    }),
  });
}

import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Caller } from "../../kernel/access/caller.ts";
import { checkNoInbox, takeForPerson } from "../../kernel/addresses/address-registry.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import type { Services } from "../../kernel/context.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import { checkActsAlone, type LetterSubjects } from "../../kernel/letters/letter-token.ts";
import { count, countOrFail } from "../../kernel/rate.ts";
import { hashSecret, sameSecret } from "../../kernel/secrets.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { iso } from "../../model/fields.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import { codeHash } from "./invite.ts";
import { checkCodeOpen, checkLinkOpen, shownOwner } from "./rules.ts";

const HOUR_MS = 3600_000;
const MAX_OWNERS_PER_EMAIL = 500;

/**
 * Confirms an owner by the code of their letter. The attempt is counted before the code is compared, so that
 * concurrent calls get no more than five attempts. Fails with `confirm_invalid`, `confirm_expired`,
 * `confirm_locked`, or with `address_is_inbox` where an inbox of this service has the address.
 */
export async function confirmByCode(
  services: Services,
  owner: OwnerRecord,
  code: string,
  now: Date,
): Promise<OwnerRecord> {
  if (owner.status === "verified") return owner;
  await checkNoInbox(services, services.storage, owner.email);
  checkCodeOpen(owner, iso(now));
  const [counted] = await services.storage.update(
    "owners",
    { id: owner.id, code_tries: { lt: LIMITS.owner_code_tries } },
    { code_tries: { add: 1 } },
  );
  if (counted === undefined) throw fail("confirm_locked", { param: "code" });
  if (!hasCode(services, counted, code)) throw fail("confirm_invalid", { param: "code" });
  return verify(services, counted, now);
}

/**
 * The owner of a confirmation link, and its secret. Fails with `confirm_invalid` or, for a pending owner,
 * `confirm_expired` or `address_is_inbox`.
 */
export async function ownerByConfirmationToken(
  services: Pick<Services, "storage" | "options">,
  token: string,
  now: Date,
): Promise<LetterSubjects["confirmation"]> {
  const { storage } = services;
  const secret = await findLetterSecret({ storage }, token, ["confirm"], now);
  // Of several letters to one owner only the newest confirms.
  const [owner] =
    secret === undefined ? [] : await storage.find("owners", { where: { link_hash: secret.hash }, limit: 1 });
  if (secret === undefined || owner === undefined) throw fail("confirm_invalid", { param: "token" });
  if (owner.status === "pending") await checkNoInbox(services, services.storage, owner.email);
  checkLinkOpen(owner, iso(now));
  return { secret, owner };
}

/**
 * Confirms an owner by the link of their letter. Repeating it returns the current state. Fails with
 * `session_required` when the link came back in a mail and the caller isn't signed in as its reader.
 */
export async function confirmByLink(
  services: Services,
  { secret, owner }: LetterSubjects["confirmation"],
  caller: Caller,
  now: Date,
): Promise<OwnerRecord> {
  if (owner.status === "verified") return owner;
  checkActsAlone(secret, caller);
  return verify(services, owner, now);
}

/**
 * Confirms an owner by address and code, for anyone. Wrong codes count per address and IP, separately from the
 * owner's own five attempts and the link, so a stranger locks out nobody else until all strangers together have
 * entered twenty. An unknown address fails exactly like a wrong code.
 */
export async function confirmByEmail(
  services: Services,
  email: string,
  code: string,
  ip: string | null,
  now: Date,
): Promise<OwnerRecord> {
  if (ip !== null) {
    const cap = {
      name: `owner-try-ip:${addressGroup(ip)}`,
      max: LIMITS.owner_public_tries_per_hour,
      window_ms: HOUR_MS,
    };
    await countOrFail(services.storage, cap, now);
  }
  const counted = await countPublicTry(services, email, ip, now);
  const owners = await services.storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNERS_PER_EMAIL,
  });
  const owner = owners.find((candidate) => hasCode(services, candidate, code));
  if (owner !== undefined) for (const { give_back } of counted) await give_back();
  if (owner === undefined) throw fail("confirm_invalid", { param: "code" });
  if (owner.status === "verified") return owner;
  await checkNoInbox(services, services.storage, owner.email);
  checkCodeOpen(owner, iso(now));
  return verify(services, owner, now);
}

/**
 * Counts an attempt before its code is compared, so that concurrent attempts stay within the limits; correct ones are
 * not counted in the end. Fails with `confirm_locked` for an IP after its five wrong codes, and for everybody after
 * twenty.
 */
async function countPublicTry(
  { storage }: Pick<Services, "storage">,
  email: string,
  ip: string | null,
  now: Date,
): Promise<Awaited<ReturnType<typeof count>>[]> {
  const name = `owner-try:${hashSecret(email)}`;
  const window_ms = LIMITS.owner_code_ms;
  const here = ip === null ? "inside" : addressGroup(ip);
  const caps = [
    { name: `${name}:${here}`, max: LIMITS.owner_wrong_codes_per_ip, window_ms },
    { name, max: LIMITS.owner_wrong_codes, window_ms },
  ];
  const counted: Awaited<ReturnType<typeof count>>[] = [];
  for (const cap of caps) {
    const tried = await count(storage, cap, now);
    const { within, retry_after_seconds } = tried;
    if (!within) throw fail("confirm_locked", { param: "code", retry_after_seconds, fix: LOCKED_FIX });
    counted.push(tried);
  }
  return counted;
}

const LOCKED_FIX = "Open the link in the email instead, or wait for retry_after_seconds.";

function hasCode({ seal }: Pick<Services, "seal">, owner: OwnerRecord, code: string): boolean {
  return owner.code_hash !== null && sameSecret(seal.open(owner.code_hash), codeHash(owner.id, code));
}

/**
 * Verifies a pending owner, once. A new letter sent in the meantime has invalidated the code and link. An
 * address that isn't outside stays pending, since an agent could have read its letter.
 */
async function verify(services: Services, owner: OwnerRecord, now: Date): Promise<OwnerRecord> {
  const { id, account_id, inbox_id, link_hash } = owner;
  if (!(await isOutside(services, services.storage, owner.email))) throw fail("confirm_invalid");
  return unitOfWork(services, account_id, now, async (work) => {
    const [verified] = await work.update(
      "owners",
      { id, status: "pending", link_hash },
      { status: "verified", verified_at: iso(now) },
    );
    if (verified === undefined) {
      const present = await work.get("owners", id);
      if (present?.status === "verified") return present;
      throw fail("confirm_invalid");
    }
    await takeForPerson(services, work, verified.email, now);
    const account = await work.get("accounts", account_id);
    if (account === undefined) throw new Error(`account ${account_id} is gone`);
    // Owners in a sub-account neither claim anything nor become account owners: it belongs to its parent.
    const whole = { id: account_id, parent_account_id: null };
    await work.update("accounts", { ...whole, claimed: false }, { claimed: true });
    // Only the first address ever: it alone becomes the first account owner.
    await work.update(
      "accounts",
      { ...whole, first_owner_email: null },
      { first_owner_email: verified.email },
    );
    work.publish({ type: "owner.verified", inbox_id, data: { owner: shownOwner(verified, account) } });
    return verified;
  });
}

import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import { addressGroup } from "../kernel/client-address.ts";
import type { Services } from "../kernel/context.ts";
import { isExternal } from "../kernel/mail-domain.ts";
import { count, countOrFail } from "../kernel/rate.ts";
import { hashSecret, sameSecret } from "../kernel/secrets.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { iso } from "../model/fields.ts";
import type { OwnerRecord } from "../model/owners.ts";
import { codeHash } from "./invite.ts";
import { checkCodeOpen, checkLinkOpen } from "./rules.ts";
import { shownOwner } from "./show.ts";

const hourMs = 3600_000;
const ownersPerEmailRead = 500;

/**
 * Confirms an owner by the code of their letter. The try is counted before the code is looked at, so that no
 * number of calls at once gets more than five. Fails with `confirm_invalid`, `confirm_expired` or
 * `confirm_locked`.
 */
export async function confirmByCode(
  services: Services,
  owner: OwnerRecord,
  code: string,
  now: Date,
): Promise<OwnerRecord> {
  if (owner.status === "verified") return owner;
  checkCodeOpen(owner, iso(now));
  const [counted] = await services.storage.update(
    "owners",
    { id: owner.id, code_tries: { lt: limits.owner_code_tries } },
    { code_tries: { add: 1 } },
  );
  if (counted === undefined) throw fail("confirm_locked", { param: "code" });
  if (!hasCode(services, counted, code)) throw fail("confirm_invalid", { param: "code" });
  return verify(services, counted, now);
}

/**
 * The owner whose newest letter holds the link. Fails with `confirm_invalid` or, for one that is still
 * pending, `confirm_expired`.
 */
export async function ownerByLink(
  { storage }: Pick<Services, "storage">,
  token: string,
  now: Date,
): Promise<OwnerRecord> {
  const [owner] = await storage.find("owners", { where: { link_hash: hashSecret(token) }, limit: 1 });
  if (owner === undefined) throw fail("confirm_invalid", { param: "token" });
  checkLinkOpen(owner, iso(now));
  return owner;
}

/** Confirms an owner by the link of their letter; once more answers the present state. */
export async function confirmByLink(services: Services, token: string, now: Date): Promise<OwnerRecord> {
  const owner = await ownerByLink(services, token, now);
  return owner.status === "verified" ? owner : verify(services, owner, now);
}

/**
 * Confirms an owner by address and code, for anybody. Tries count per address and per IP and leave the
 * owner's own five tries and the link alone, so that a stranger can't void them; an address that nobody has
 * answers exactly as a wrong code does.
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
      max: limits.owner_public_tries_per_hour,
      window_ms: hourMs,
    };
    await countOrFail(services.storage, cap, now);
  }
  const cap = {
    name: `owner-try-for:${hashSecret(email)}`,
    max: limits.owner_code_tries,
    window_ms: limits.owner_code_ms,
  };
  const { within, retry_after_seconds } = await count(services.storage, cap, now);
  if (!within) throw fail("confirm_locked", { param: "code", retry_after_seconds });

  const owners = await services.storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: ownersPerEmailRead,
  });
  const owner = owners.find((candidate) => hasCode(services, candidate, code));
  if (owner === undefined) throw fail("confirm_invalid", { param: "code" });
  if (owner.status === "verified") return owner;
  checkCodeOpen(owner, iso(now));
  return verify(services, owner, now);
}

function hasCode({ seal }: Pick<Services, "seal">, owner: OwnerRecord, code: string): boolean {
  return owner.code_hash !== null && sameSecret(seal.open(owner.code_hash), codeHash(owner.id, code));
}

/** Makes a pending owner verified, once; a new letter that was sent meanwhile has ended the proof. */
async function verify(services: Services, owner: OwnerRecord, now: Date): Promise<OwnerRecord> {
  const { id, account_id, inbox_id, link_hash } = owner;
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
    const account = await work.get("accounts", account_id);
    if (account === undefined) throw new Error(`account ${account_id} is gone`);
    if (isExternal(verified.email, services.options.mail_domain))
      await work.update("accounts", { id: account_id, claimed: false }, { claimed: true });
    work.publish({ type: "owner.verified", inbox_id, data: { owner: shownOwner(verified, account) } });
    return verified;
  });
}

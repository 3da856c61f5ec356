import { randomInt } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { waitsForPeople } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { countLetter } from "../../kernel/letters/count-letter.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import { sendLetter } from "../../mailbox/messages/index.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { StorageWriter } from "../../ports/storage.ts";
import { confirmationLetters } from "../notifications/confirmation.ts";
import { NEW_OWNER } from "./rules.ts";

const CODE_COUNT = 1_000_000;

/** The person to invite as an owner. */
export interface Invitation {
  inbox: InboxRecord;
  /** The address as it was given. */
  email: string;
  digest?: OwnerRecord["digest"] | undefined;
  /** The caller's address, for the rate limit; null, or a loopback address, for a program on this machine. */
  ip: string | null;
  /** An owner has approved the invitation, which an inbox in approval mode requires. */
  approved?: boolean;
  now: Date;
}

/**
 * Adds a person as a pending owner of an inbox and mails them a code and a link. A pending owner gets a new
 * letter, which invalidates the old code and link; a verified owner is returned unchanged. Fails with
 * `owner_limit`, `rate_limited` or, in approval mode without approval, `approval_required`.
 */
export async function inviteOwner(
  services: Services,
  work: Work,
  { inbox, email: named, digest, ip, approved = false, now }: Invitation,
): Promise<OwnerRecord> {
  const email = addressKey(named);
  const given_email = named === email ? null : named;
  const [known] = await work.find("owners", { where: { inbox_id: inbox.id, email }, limit: 1 });
  if (known?.status === "verified") return known;
  if (!approved && (await waitsForPeople(services, work, inbox))) throw fail("approval_required");
  if (
    known === undefined &&
    (await work.count("owners", { inbox_id: inbox.id }, LIMITS.owners_per_inbox)) >= LIMITS.owners_per_inbox
  ) {
    throw fail("owner_limit");
  }
  await countConfirmationLetter(work, email, ip, now);

  const code = String(randomInt(CODE_COUNT)).padStart(6, "0");
  const link_token = newLetterWord();
  const id = known?.id ?? services.makeId("own");
  const confirmation = {
    code_hash: services.seal.seal(codeHash(id, code)),
    code_expires_at: iso(new Date(now.getTime() + LIMITS.owner_code_ms)),
    code_tries: 0,
    code_voided_at: null,
    link_hash: hashSecret(link_token),
    link_expires_at: iso(new Date(now.getTime() + LIMITS.owner_link_ms)),
  };
  const link = `${services.options.baseUrl}/api/v1/owners/confirm?token=${link_token}`;
  const letters = confirmationLetters({
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    code,
    link,
  });
  await sendLetter(services, work, {
    kind: "confirmation",
    inbox,
    to: named,
    ...letters,
    owner_id: id,
    code_of: id,
    secrets: [
      {
        secret: link_token,
        kind: "confirm",
        acts_until: new Date(now.getTime() + LIMITS.owner_link_ms),
      },
    ],
    now,
  });

  if (known !== undefined) {
    const [invited] = await work.update(
      "owners",
      { id },
      { ...confirmation, given_email, digest: digest ?? known.digest },
    );
    return invited ?? known;
  }
  const owner: OwnerRecord = {
    ...NEW_OWNER,
    ...confirmation,
    id,
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    email,
    given_email,
    status: "pending",
    digest: digest ?? "immediate",
    created_at: iso(now),
    verified_at: null,
  };
  work.append("owners", [owner]);
  return owner;
}

/** The hash of a code, bound to its owner. It is stored sealed, since six digits can be guessed offline. */
export const codeHash = (owner_id: string, code: string): string => hashSecret(`${owner_id}:${code}`);

/**
 * Counts a mail that helps to confirm an address: 5 an hour for who asks, 3 a day for the address (interface,
 * "Limits"). Fails with `rate_limited`.
 */
export async function countConfirmationLetter(
  work: StorageWriter,
  email: string,
  ip: string | null,
  now: Date,
): Promise<void> {
  const caps = {
    kind: "owner-letter",
    per_ip_hour: LIMITS.owner_confirmations_per_ip_hour,
    per_address_day: LIMITS.owner_confirmations_per_address_day,
  };
  await countLetter(work, caps, { email, ip }, now);
}

/**
 * Invalidates the codes and links of unconfirmed owners. An inbox in approval mode gets no new owner without
 * an existing owner's approval, and that includes pending invitations.
 */
export async function closeInvitations(work: Work, inbox_id: string): Promise<void> {
  await work.update("owners", { inbox_id, status: "pending" }, { code_hash: null, link_hash: null });
}

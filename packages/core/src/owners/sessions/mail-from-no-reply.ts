import type { LetterKind } from "../../catalogue/letter-frames.ts";
import { addressAt } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import type { LetterSecret } from "../../kernel/letters/letter-secrets.ts";
import { registerLetter } from "../../kernel/letters/letters.ts";
import { loadOnce } from "../../mail/load-once.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Letter } from "../../model/letters.ts";
import { addressToOwner } from "../../model/owners.ts";
import type { StorageReader, Transaction } from "../../ports/storage.ts";
import { ownLetterIds } from "../notifications/own-letters.ts";

const loadCompose = loadOnce(() => import("../../mail/mime/compose.ts"));

const RETRY_MS = 30_000;
const MAX_OWNERS_PER_EMAIL = 500;

/** A letter that leaves from no-reply. */
export interface NoReplyLetter {
  kind: LetterKind;
  /** The person's address, in its canonical form. */
  email: string;
  letter: Letter;
  /** The account that it is about; null for letters that let a person in. */
  account_id: string | null;
  /** The secrets in it; their hashes are stored. */
  secrets?: readonly LetterSecret[];
  /** The challenge that its code answers. */
  code_of?: string;
  /**
   * Writes the records that its secrets are checked against, in the transaction that registers it; no letter is sent
   * if this returns false.
   */
  open?: (tx: Transaction) => Promise<boolean>;
}

/**
 * Registers and mails a letter of the service's own to a person, and ends its job, or postpones it after a temporary
 * failure; each attempt is a letter of its own. The letter leaves from no-reply at the service's own domain and is in
 * no inbox. Suppressions, lists, quotas and sending health don't hold it, and its failures count for nobody: they are
 * logged for the operator.
 */
export async function mailFromNoReply(
  services: Services,
  job: JobRecord,
  { kind, email, letter, account_id, secrets = [], code_of, open }: NoReplyLetter,
): Promise<void> {
  const { storage, clock, transport, log } = services;
  const now = clock.now();
  const to = await addressOfPerson(storage, email);
  const from = addressAt(services, "no-reply");
  const { mail_from, message_id } = ownLetterIds(services, job);
  const registered = await storage.transaction(async (tx) => {
    if (open !== undefined && !(await open(tx))) return false;
    registerLetter(
      tx,
      {
        kind,
        message_id,
        account_id,
        inbox_id: null,
        to: email,
        owner_id: null,
        stored_message_id: null,
        subject_id: code_of ?? null,
        secrets,
      },
      now,
    );
    return true;
  });
  if (!registered) return endJob(storage, job);
  const { composeMail } = await loadCompose();
  const raw = await composeMail({
    from: { address: from, name: "Letterslot" },
    to: [to],
    ...letter,
    headers: { "Auto-Submitted": "auto-generated" },
    message_id,
    date: iso(now),
  });
  const [result] = await transport.send({
    message_id,
    from,
    envelope: { mail_from, rcpt_to: [to] },
    raw,
    letter: true,
  });
  if (result?.outcome === "temporary_failure")
    return postponeJob(storage, job, new Date(now.getTime() + RETRY_MS));
  if (result?.outcome === "permanent_failure")
    log.warn({ recipient: email, detail: result.detail, kind: job.kind }, "a letter to a person was refused");
  await endJob(storage, job);
}

/**
 * Returns a person's address as given when they became an owner. If it was given in several spellings, which only a
 * case-sensitive server would treat as different mailboxes, returns the canonical form.
 */
async function addressOfPerson(storage: Pick<StorageReader, "find">, email: string): Promise<string> {
  const owners = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNERS_PER_EMAIL,
  });
  const verified = owners.filter(({ status }) => status === "verified");
  const [given = email, ...others] = new Set((verified.length > 0 ? verified : owners).map(addressToOwner));
  return others.length > 0 ? email : given;
}

import { randomInt } from "node:crypto";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { noteLiveLetter } from "../../kernel/letters/letters.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { OPENS, signInLetter } from "../notifications/sign-in.ts";
import { readAskedFrom } from "./asked-from.ts";
import { mailFromNoReply } from "./mail-from-no-reply.ts";

const CODE_COUNT = 1_000_000;
const MAX_OWNERS_PER_EMAIL = 500;

/**
 * Mails the code and the link of a challenge to a person who can sign in, whose confirmation link's page requests it,
 * or who may open an account on the page that requests it; nobody else gets a letter.
 */
export async function sendSignInLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, seal, options } = services;
  const now = clock.now();
  const challenge = await storage.get("session_challenges", job.subject_id);
  if (challenge === undefined || challenge.expires_at <= iso(now)) return endJob(storage, job);
  const { id, email } = challenge;
  const { letter_hash, newcomers } = job.payload;
  const mayBeMailed =
    (newcomers === true && options.onboarding !== "closed" && (await isOutside(services, storage, email))) ||
    (await canSignIn(services, storage, email)) ||
    (typeof letter_hash === "string" && (await isInvited(services, storage, email, letter_hash, now)));
  if (!mayBeMailed) return endJob(storage, job);

  const code = String(randomInt(CODE_COUNT)).padStart(6, "0");
  const word = newLetterWord();
  const ends = new Date(challenge.expires_at);
  const accounts = await accountsOf(storage, email);
  await mailFromNoReply(services, job, {
    kind: "sign_in",
    email,
    account_id: null,
    secrets: [{ secret: word, kind: "sign_in", expires_at: ends }],
    code_of: id,
    async open(tx) {
      const [found] = await tx.update(
        "session_challenges",
        { id },
        { code_hash: seal.seal(signInCodeHash(id, code)), link_hash: hashSecret(word), code_voided_at: null },
      );
      if (found !== undefined) await noteLiveLetter(tx, accounts, ends);
      return found !== undefined;
    },
    letter: signInLetter({
      code,
      link: `${options.baseUrl}/api/v1/owners/sign-in?token=${word}`,
      host: new URL(options.baseUrl).host,
      opens: OPENS.find((opens) => opens === job.payload["opens"]) ?? "session",
      asked_from: readAskedFrom(job.payload),
    }),
  });
}

/** The hash of a code, bound to its challenge. It is stored sealed, since six digits can be guessed offline. */
export const signInCodeHash = (challenge_id: string, code: string): string =>
  hashSecret(`sign-in:${challenge_id}:${code}`);

/** Whether the link of a letter's hash still invites that address, which nobody verified yet. */
async function isInvited(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find" | "get">,
  email: string,
  link_hash: string,
  now: Date,
): Promise<boolean> {
  const [owner] = await storage.find("owners", { where: { link_hash }, limit: 1 });
  const invited = owner?.email === email && (owner.link_expires_at ?? "") > iso(now);
  return invited && (await isOutside(own, storage, email));
}

/** Whether a person has a reason to sign in: authority, a verified ownership, or the first address of an account. */
async function canSignIn(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find" | "get">,
  email: string,
): Promise<boolean> {
  if (!(await isOutside(own, storage, email))) return false;
  const owners = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_OWNERS_PER_EMAIL,
  });
  if (owners.some(({ status }) => status === "verified")) return true;
  if ((await authoritiesOf(own, storage, email)).length > 0) return true;
  return (await storage.find("accounts", { where: { first_owner_email: email }, limit: 1 })).length > 0;
}

/**
 * Returns the accounts in which an address has a role: in charge, an owner of whatever status, or the first address.
 */
async function accountsOf(storage: Pick<StorageReader, "find">, email: string): Promise<string[]> {
  const order = { by: "id", direction: "desc" } as const;
  const [owners, authorities, firsts] = await Promise.all([
    storage.find("owners", { where: { email }, order, limit: MAX_OWNERS_PER_EMAIL }),
    storage.find("authorities", { where: { email }, order, limit: MAX_OWNERS_PER_EMAIL }),
    storage.find("accounts", { where: { first_owner_email: email }, limit: MAX_OWNERS_PER_EMAIL }),
  ]);
  return [
    ...new Set([
      ...[...owners, ...authorities].map(({ account_id }) => account_id),
      ...firsts.map(({ id }) => id),
    ]),
  ];
}

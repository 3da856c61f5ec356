import type { Services } from "../kernel/context.ts";
import { hashSecret } from "../kernel/secrets.ts";
import { workOnContent } from "../mail/content-tasks.ts";
import { sixDigitsIn } from "../mail/letter-words/codes.ts";
import { findBody } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { LetterSecretRecord } from "../model/letter-secrets.ts";
import type { ReadMail } from "../model/read-mail.ts";
import { hasLiveInvitation, voidInvitationCode } from "../owners/index.ts";
import { hasLiveCode, voidLiveCode } from "../people/index.ts";
import type { Evidence } from "./evidence.ts";
import { addressOf } from "./look-up-sender.ts";

/** A mail as it came, before anything of it is stored. */
interface Incoming {
  mail: ReadMail;
  raw: Uint8Array;
  origin: Evidence["origin"];
  authentication: Pick<Evidence["authentication"], "passes">;
  /** The letters to whose reply addresses it is delivered. */
  letters: readonly NonNullable<Evidence["letter"]>[];
  /** Called before a secret is marked or a code is void, where it isn't certain yet that the mail is received; may throw. */
  confirm?: (() => Promise<void>) | undefined;
}

/** A mail as it may be stored. */
interface Clean {
  mail: ReadMail;
  raw: Uint8Array;
  redacted: boolean;
}

const MAX_REFERENCES = 20;
/** Numbers of a mail that are compared with a live code. */
const MAX_CODES = 100;

/**
 * Takes out of a mail what must not come to where agents read: the secrets of letters, which are marked struck;
 * the links of mail that answers or holds a letter, but for those in its new words; and a code that lives.
 * Then the original bytes are not kept: `raw` is written from what is left.
 */
export async function removeSecrets(services: Services, incoming: Incoming, now: Date): Promise<Clean> {
  const { mail: original, raw, origin, letters, confirm } = incoming;
  const { mail: struck, secrets } = original.struck ?? { mail: original, secrets: [] };
  if (secrets.length > 0) await confirm?.();
  const found = secrets.length === 0 ? [] : await markStruck(services, secrets, origin, now);
  const message_ids = lettersNamedBy(original);
  const named = message_ids.length === 0 ? [] : await secretsOfLetters(services, message_ids);
  const quoted = [...letters.map(({ record }) => record), ...found, ...named];
  const holds_letter = quoted.length > 0 || secrets.length > 0;
  const linkless = holds_letter
    ? await workOnContent(services.contentWorker, "removeLinks", {
        mail: struck,
        letters: await wordsOfLetters(services, quoted),
      })
    : { mail: struck, changed: false };
  const without =
    // The live codes are read only where six digits may be one.
    sixDigitsIn(linkless.mail, 1).length === 0
      ? { mail: linkless.mail, changed: false }
      : await removeLiveCodes(services, linkless.mail, incoming, quoted, now);
  if (secrets.length === 0 && !linkless.changed && !without.changed)
    return { mail: original, raw, redacted: false };
  const mail = { ...without.mail, struck: null };
  return {
    mail,
    raw: await workOnContent(services.contentWorker, "writeMail", without.mail),
    redacted: true,
  };
}

/** Marks the secrets that a mail held, so that their links no longer act alone; answers with their records. */
async function markStruck(
  { storage }: Services,
  secrets: readonly string[],
  origin: Incoming["origin"],
  now: Date,
): Promise<LetterSecretRecord[]> {
  const hashes = secrets.map((secret) => hashSecret(secret));
  const found = await storage.find("letter_secrets", {
    where: { hash: { in: hashes } },
    limit: hashes.length,
  });
  const ids = found.filter(({ kind }) => kind !== "reply").map(({ hash }) => hash);
  if (origin !== "injected" && ids.length > 0)
    await storage.update("letter_secrets", { hash: { in: ids }, struck_at: null }, { struck_at: iso(now) });
  return found;
}

/** The letters that a mail names in In-Reply-To or References: our Message-IDs hold the message's id. */
function lettersNamedBy({ references, in_reply_to }: ReadMail): string[] {
  const ids: string[] = [];
  for (const reference of in_reply_to === null ? references : [...references, in_reply_to]) {
    const body = /^<([0-9a-z]{20})@[^<>\s]+>$/i.exec(reference)?.[1];
    if (body !== undefined) ids.push(`msg_${body.toLowerCase()}`);
  }
  return ids;
}

const secretsOfLetters = ({ storage }: Services, ids: readonly string[]): Promise<LetterSecretRecord[]> =>
  storage.find("letter_secrets", {
    where: { message_id: { in: ids.slice(-MAX_REFERENCES) } },
    limit: MAX_REFERENCES,
  });

/** The text of letters as the agent's copy has it: what a quote of them repeats. */
async function wordsOfLetters(
  { storage }: Services,
  letters: readonly LetterSecretRecord[],
): Promise<string[]> {
  const ids = new Set(letters.flatMap(({ message_id }) => (message_id === null ? [] : [message_id])));
  const texts = await Promise.all(
    [...ids].slice(0, 5).map(async (id) => {
      const message = await storage.get("messages", id);
      if (message === undefined) return [];
      return [(await findBody(storage, message)).text ?? message.extracted_text];
    }),
  );
  return texts.flat();
}

/**
 * While a code to an address lives, no six-digit number comes in from there, nor in mail that answers or holds a
 * letter to it. A live code that its own reader mails is void.
 */
async function removeLiveCodes(
  services: Services,
  mail: Omit<ReadMail, "struck">,
  { origin, authentication, confirm }: Incoming,
  quoted: readonly LetterSecretRecord[],
  now: Date,
): Promise<{ mail: Omit<ReadMail, "struck">; changed: boolean }> {
  const author = authentication.passes && origin !== "injected" ? addressOf(mail) : undefined;
  const readers = new Set([...quoted.map(({ email }) => email), ...(author === undefined ? [] : [author])]);
  const live = await Promise.all(
    [...readers]
      .slice(0, 5)
      .flatMap((email) => [hasLiveCode(services, email, now), hasLiveInvitation(services, email, now)]),
  );
  if (!live.includes(true)) return { mail, changed: false };
  await confirm?.();
  if (author !== undefined)
    for (const code of sixDigitsIn(mail, MAX_CODES)) {
      await voidLiveCode(services, author, code, now);
      await voidInvitationCode(services, author, code, now);
    }
  return { mail: await workOnContent(services.contentWorker, "removeCodes", mail), changed: true };
}

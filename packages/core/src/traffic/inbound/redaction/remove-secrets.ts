import type { Services } from "../../../kernel/context.ts";
import { type FoundLetters, lettersOf } from "../../../kernel/letters/letters.ts";
import { type KnownLetter, stubOf, withheldMail } from "../../../mail/redaction/stub.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import { findBody } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import type { ReadMail } from "../../../model/read-mail.ts";
import type { Incoming } from "../incoming.ts";
import { readFiles } from "../reading/read-files.ts";
import { codesToRemove, isWithheld } from "./codes-to-remove.ts";
import { domainsOf, isLetterOfOurs, letterItself, shownLetter } from "./letter-itself.ts";

/** A mail as it may be stored. */
interface Clean {
  mail: ReadMail;
  raw: Uint8Array;
  redacted: boolean;
  /** The letter that it is itself, of which only a stub is stored. */
  stub?: KnownLetter | undefined;
}

/** Message-IDs of a mail that may be a letter's, and secrets of it, that are looked up. */
const MAX_NAMED = 20;

/**
 * Removes from a mail what agents must not read: letters themselves, of which a stub is left; the secrets of letters,
 * which are marked as struck; the links of mail that answers or holds a letter, except those in its new words; and
 * live codes. The original bytes are not kept then: `raw` is written from what is left.
 */
export async function removeSecrets(services: Services, incoming: Incoming, now: Date): Promise<Clean> {
  const { raw, letters, letters_live } = incoming;
  const untouched = { mail: incoming.mail, raw, redacted: false };
  const secrets = incoming.mail.struck?.secrets ?? [];
  let found = await lettersOf(services, { secrets, message_ids: idsOf(incoming) });
  const holds_letter = secrets.length + found.letters.length + letters.length > 0;
  const signed = await isLetterOfOurs(services, incoming, found);
  if (!holds_letter && !letters_live && !signed && incoming.mail.struck === null) return untouched;

  const original = await searchedMail(services, incoming, holds_letter);
  const files = await readFiles(services, original, incoming.reading?.clientIp ?? null);
  const in_files = files.flatMap((file) => file.found?.secrets ?? []);
  if (in_files.length > 0)
    found = joined(found, await lettersOf(services, { secrets: in_files, message_ids: [] }));
  await markStruck(services, found, incoming.origin, now);
  const codes = await codesToRemove(services, { ...incoming, mail: original }, found, files, { signed }, now);

  const { struck, ...mail } = original;
  const stub = await letterItself(services, incoming, found, signed);
  if (stub !== undefined) return written(services, stubOf(mail, stub), stub);
  if (codes !== undefined && !codes.whole) return written(services, withheldMail(mail));
  const withheld = files.filter((file) => isWithheld(file, codes)).map(({ path }) => path);
  const must_clean = holds_letter || struck !== null || codes !== undefined || withheld.length > 0;
  if (!must_clean) return untouched;
  const cleaned = await workOnContent(services.contentWorker, "cleanMail", {
    mail,
    cleaning: {
      letters: Object.fromEntries(found.letters.map((letter) => [letter.message_id, shownLetter(letter)])),
      unreadable: found.letters.filter((each) => !each.message_id_readable).map((each) => each.message_id),
      domains: domainsOf(services, incoming),
      quoted:
        holds_letter || in_files.length > 0 ? await wordsOfLetters(services, found, letters) : undefined,
      codes,
      withheld,
    },
  });
  const in_raw_alone = struck !== null || codes?.all === true || (codes?.codes.length ?? 0) > 0;
  return cleaned.changed || in_raw_alone ? written(services, cleaned.mail) : untouched;
}

/** Returns the Message-IDs that may be a letter's; internal mail has one of ours as its own anyway. */
function idsOf({ mail: { letter_ids, message_id }, origin }: Incoming): string[] {
  const own = origin === "internal" ? message_id?.toLowerCase() : undefined;
  return letter_ids.filter((id) => id !== own).slice(0, MAX_NAMED);
}

async function written(
  services: Services,
  mail: Omit<ReadMail, "struck">,
  stub?: KnownLetter,
): Promise<Clean> {
  const raw = await workOnContent(services.contentWorker, "writeMail", mail);
  return { mail: { ...mail, struck: null, searched: null }, raw, redacted: true, stub };
}

/** The mail with what a search of it found, if it has to be searched. */
async function searchedMail(
  services: Services,
  { mail, raw, reading = {}, letters_live, origin }: Incoming,
  holds_letter: boolean,
): Promise<ReadMail> {
  if (mail.searched !== null || origin === "phone" || !(holds_letter || letters_live)) return mail;
  const again = { ...reading, screeningTimeoutMs: null, searchLetters: true };
  return { ...mail, searched: (await services.parser.parse(raw, again)).searched };
}

const joined = (one: FoundLetters, other: FoundLetters): FoundLetters => ({
  letters: [...one.letters, ...other.letters],
  secrets: [...one.secrets, ...other.secrets],
});

/** Marks the secrets that a mail held, so that their links no longer act alone. */
async function markStruck(
  { storage }: Services,
  { secrets }: FoundLetters,
  origin: Incoming["origin"],
  now: Date,
): Promise<void> {
  const ids = secrets.filter(({ kind }) => kind !== "reply").map(({ hash }) => hash);
  if (origin !== "injected" && ids.length > 0)
    await storage.update("letter_secrets", { hash: { in: ids }, struck_at: null }, { struck_at: iso(now) });
}

/** The text of letters as the agent's copy has it: what a quote of them repeats. */
async function wordsOfLetters(
  { storage }: Services,
  found: FoundLetters,
  answered: Incoming["letters"],
): Promise<string[]> {
  const ids = new Set(
    [
      ...answered.map(({ record }) => record.message_id),
      ...found.secrets.map(({ message_id }) => message_id),
      ...found.letters.map(({ stored_message_id }) => stored_message_id),
    ].filter((id) => id !== null),
  );
  const texts = await Promise.all(
    [...ids].slice(0, 5).map(async (id) => {
      const message = await storage.get("messages", id);
      if (message === undefined) return [];
      return [(await findBody(storage, message)).text ?? message.extracted_text];
    }),
  );
  return texts.flat();
}

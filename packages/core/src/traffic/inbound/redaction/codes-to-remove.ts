import type { Services } from "../../../kernel/context.ts";
import type { FoundLetters } from "../../../kernel/letters/letters.ts";
import type { LetterRecord } from "../../../model/letters.ts";
import type { ReadMail } from "../../../model/read-mail.ts";
import type { Incoming } from "../incoming.ts";
import type { FileText } from "../reading/read-files.ts";
import { findLiveCodes, numbersOf, voidHeldCodes } from "./live-codes.ts";
import { peopleOf } from "./people-of.ts";

/** The codes and numbers to remove from a mail. */
interface CodesToRemove {
  /** Whether to remove every number that readers see, not only the codes. */
  all: boolean;
  codes: string[];
  /** Whether all of the mail was searched in time. */
  whole: boolean;
}

/**
 * Decides which codes and numbers to remove from a mail. While a code to an address is live, every number is removed
 * from mail that holds or answers a letter to it, and the code itself from mail that the person at the address is
 * proven to have written. A code whose letter a mail really holds is voided. Returns undefined if no code that may be
 * in the mail is live.
 */
export async function codesToRemove(
  services: Services,
  incoming: Incoming,
  found: FoundLetters,
  files: readonly FileText[],
  { signed }: { signed: boolean },
  now: Date,
): Promise<CodesToRemove | undefined> {
  const { mail, origin, proof, letters, letters_live } = incoming;
  const { searched } = mail;
  if (searched === null) return undefined;
  const numbers = numbersOf(mail, files);
  if (numbers.all.size === 0 && numbers.whole && searched.files.length === 0) return undefined;
  const frames = [...searched.frames, ...files.flatMap((file) => file.found?.frames ?? [])].filter(
    (kind) => kind === "sign_in" || kind === "confirmation",
  );
  const elsewhere = found.letters.some(
    ({ account_id }) =>
      account_id === null || incoming.inboxes.every((inbox) => inbox.account_id !== account_id),
  );
  if (!letters_live && !elsewhere && letters.length === 0) return undefined;
  const readers = new Set([
    ...found.letters.map(({ email }) => email),
    ...found.secrets.map(({ email }) => email),
    ...letters.map(({ record }) => record.email),
    ...(frames.length === 0 ? [] : await peopleOf(services, incoming.inboxes)),
  ]);
  const author = proof.kind === "person" ? proof.author : undefined;
  const held = await findLiveCodes(services, readers, numbers, now);
  const own =
    author === undefined || readers.has(author)
      ? { live: false, found: [] }
      : await findLiveCodes(services, [author], numbers, now);
  if (!held.live && !own.live) return undefined;
  if (origin !== "injected") {
    const holding = { ...provenBy(mail, found, signed), frames };
    await voidHeldCodes(services, [...held.found, ...own.found], holding, numbers, now);
  }
  const codes = [...held.found, ...own.found].map(({ number }) => number);
  return { all: held.live, codes, whole: numbers.whole };
}

/** The letters that a mail surely holds, and those that it may only name. */
function provenBy(
  { own_letter_ids, message_id }: ReadMail,
  { letters, secrets }: FoundLetters,
  signed: boolean,
) {
  const own = (message_id ?? "").toLowerCase();
  const isProven = (letter: LetterRecord) =>
    secrets.some(({ letter_id }) => letter_id === letter.message_id) ||
    (signed && letter.message_id === own) ||
    (!letter.message_id_readable && own_letter_ids.includes(letter.message_id));
  return { proven: letters.filter(isProven), named: letters.filter((letter) => !isProven(letter)) };
}

/** Whether a file is withheld: it holds a secret, or may hold a live code. */
export function isWithheld({ found }: FileText, codes: CodesToRemove | undefined): boolean {
  if (found?.is_struck === true) return true;
  if (codes === undefined) return false;
  if (found === null || !found.whole) return true;
  return codes.all ? found.numbers.length > 0 : found.numbers.some((number) => codes.codes.includes(number));
}

import { domainOf } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import type { FoundLetters } from "../../../kernel/letters/letters.ts";
import type { KnownLetter } from "../../../mail/redaction/stub.ts";
import { workOnContent } from "../../../mail/work-on-content.ts";
import type { LetterRecord } from "../../../model/letters.ts";
import type { Incoming } from "../incoming.ts";
import { addressOf } from "../sender/look-up-sender.ts";

/** Whether a mail from our own no-reply address, or with a registered Message-ID, has our signature. */
export async function isLetterOfOurs(
  services: Services,
  { mail, isSignedByUs }: Incoming,
  { letters }: FoundLetters,
): Promise<boolean> {
  const own = (mail.message_id ?? "").toLowerCase();
  const may_be =
    addressOf(mail) === `no-reply@${domainOf(services.options.mailDomain)}` ||
    letters.some(({ message_id }) => message_id === own);
  return may_be && ((await isSignedByUs?.()) ?? false);
}

/** The letter that a mail is itself; undefined for mail that answers, names or quotes one. */
export async function letterItself(
  services: Services,
  incoming: Incoming,
  { letters }: FoundLetters,
  signed: boolean,
): Promise<KnownLetter | undefined> {
  const { mail } = incoming;
  const own = (mail.message_id ?? "").toLowerCase();
  const registered = letters.find(({ message_id }) => message_id === own);
  if (registered !== undefined) return shownLetter(registered);
  if (signed) return { kind: null, email: null, written_at: null };
  if (mail.struck === null) return undefined;
  const by_words = [mail, domainsOf(services, incoming)] as const;
  return workOnContent(services.contentWorker, "letterByWords", [...by_words]);
}

export const shownLetter = ({ kind, email, created_at }: LetterRecord): KnownLetter => ({
  kind,
  email,
  written_at: created_at,
});

/** The domains that letters to the people of these inboxes come from. */
export const domainsOf = ({ options }: Services, { inboxes }: Incoming): string[] => [
  domainOf(options.mailDomain),
  ...inboxes.map(({ email }) => domainOf(email)),
];

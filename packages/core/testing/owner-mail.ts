import type { TestAccount, TestService } from "./service.ts";

const GRACE = "grace@example.com";

/** Creates an account whose inbox has these verified owners, with a function to send updates. */
export async function withOwner(service: TestService, emails: readonly string[] = [GRACE]) {
  const account = await service.signUp("ada");
  const owners: string[] = [];
  for (const email of emails) owners.push(await service.addOwner(account, email));
  return { ...account, service, owners, report: reporter(account) };
}

/** Sends updates as an account, from its first inbox. */
export const reporter =
  ({ as, inbox }: TestAccount) =>
  (update: Partial<Parameters<typeof as.updates.create>[0]> = {}) =>
    as.updates.create({ inbox_id: inbox.id, kind: "progress", text: "Half of it is done.", ...update });

/**
 * The mails sent to an address as text, oldest first: bodies decoded from quoted-printable, headers unchanged
 * (a token may start with 3D).
 */
export function lettersTo({ transport }: TestService, email: string): string[] {
  const mails = transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(email));
  return mails.map(({ raw }) => readable(new TextDecoder().decode(raw)));
}

/** Decodes the quoted-printable body of a mail. */
function readable(mail: string): string {
  const body = mail.indexOf("\r\n\r\n");
  return mail.slice(0, body) + mail.slice(body).replace(/=\r\n/g, "").replace(/=3D/g, "=");
}

/** A header of a letter, unfolded. */
export const headerOf = (letter: string | undefined, name: string): string | undefined =>
  new RegExp(`^${name}:(.*(?:\r\n[ \t].*)*)`, "im")
    .exec(letter ?? "")?.[1]
    ?.replace(/\r\n\s+/g, " ")
    .trim();

/** Returns the headers of a reply to a letter as a mail program fills them in. */
export const answerTo = (letter: string | undefined): { to: string; in_reply_to: string } => ({
  to: headerOf(letter, "Reply-To") ?? "",
  in_reply_to: headerOf(letter, "Message-ID") ?? "",
});

/** Returns the tokens of the links in a letter that lead to that page. */
export const tokensIn = (letter: string, page: string): string[] =>
  [...letter.matchAll(new RegExp(`/owners/${page}\\?token=(\\w+)`, "g"))].map(([, token = ""]) => token);

/** The answer values of tasks. */
export const answersOf = (tasks: readonly { answer: { value: unknown } | null }[]): unknown[] =>
  tasks.map(({ answer }) => answer?.value);

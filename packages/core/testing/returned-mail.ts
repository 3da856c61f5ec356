import { parseMail } from "../src/mail/parse.ts";
import { withOwner } from "./owner-mail.ts";
import { createTestService, type TestService } from "./service.ts";

export const grace = "grace@example.com";
/** The result of `signingIn`. */
export type Setting = Awaited<ReturnType<typeof signingIn>>;

/** A service whose owner is about to sign in, and the letter with the code. */
export async function signingIn(service: TestService = createTestService()) {
  const setting = await withOwner(service);
  return { ...setting, ...(await startSignIn(service)) };
}

/** Grace begins to sign in: her letter, its code and its words, and how she goes on. */
export async function startSignIn(service: TestService) {
  const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
  const { challenge } = await publicly.sessions.start({ email: grace });
  await service.work();
  const raw = Buffer.from(service.transport.sent.at(-1)?.raw ?? []);
  const { text } = await parseMail(raw);
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
  const link = /https?:\S+sign-in\?token=\w+/.exec(text)?.[0] ?? "";
  const signIn = () => publicly.sessions.create({ email: grace, code, challenge });
  return { raw, code, link, words: text, signIn };
}

/** A letter's words around its code, as somebody who forwards them keeps them. */
export const withoutLink = ({ words, link }: Pick<Setting, "words" | "link">) => words.replace(link, "");

/** Everything that a key can read of an inbox. */
export async function allThatAgentsRead({
  as,
  inbox,
  code,
}: Pick<Setting, "as" | "inbox" | "code">): Promise<string> {
  const { id: inbox_id } = inbox;
  const { data } = await as.messages.list({ inbox_id, limit: 200 });
  const inbound = data.filter(({ direction }) => direction === "inbound");
  const texts = [
    JSON.stringify(inbound),
    JSON.stringify(await as.threads.list({ inbox_id })),
    JSON.stringify(await as.tasks.list({ status: "all" })),
    JSON.stringify(await as.events.list({ after: "0", limit: 200 })),
    JSON.stringify((await as.search.messages({ q: code })).data),
    JSON.stringify(await as.messages.waitForCode({ inbox_id, wait: 0 })),
  ];
  for (const { id: message_id, attachments } of inbound) {
    const raw = Buffer.from((await as.messages.raw({ inbox_id, message_id })).bytes);
    texts.push(raw.toString("latin1"), JSON.stringify(await parseMail(raw)));
    texts.push(JSON.stringify(await as.messages.get({ inbox_id, message_id })));
    texts.push(JSON.stringify(await as.messages.explain({ inbox_id, message_id })));
    for (const { id: attachment_id } of attachments) {
      const file = await as.attachments.get({ inbox_id, message_id, attachment_id });
      texts.push(Buffer.from(file.bytes).toString("latin1"), Buffer.from(file.bytes).toString("utf16le"));
    }
  }
  return texts.join("\n\n").replaceAll("\0", "");
}

/** The newest message that came in. */
export const newest = async ({ as, inbox }: Pick<Setting, "as" | "inbox">) =>
  (await as.messages.list({ inbox_id: inbox.id })).data.find(({ direction }) => direction === "inbound");

/** Digits in any writing, as somebody who looks for the code finds them. */
export const decoded = (text: string): string => {
  const base64 = [...text.matchAll(/(?:[A-Za-z0-9+/]{4,76}={0,2}\r?\n)*[A-Za-z0-9+/]{4,76}={0,2}/g)].map(
    ([block]) => Buffer.from(block, "base64").toString("latin1"),
  );
  return [text, ...base64]
    .join("\n")
    .normalize("NFKC")
    .replace(/=\r?\n|<[^<>]*>|[\u00ad\u200b\0]/g, "")
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)))
    .replace(/%3(\d)/g, "$1");
};

/** Returns the text around a letter's code, where a key can read it; empty if it can't. */
export async function placeOfCode(setting: Pick<Setting, "as" | "inbox" | "code">): Promise<string> {
  const read = decoded(await allThatAgentsRead(setting));
  const at = read.indexOf(setting.code);
  return at < 0 ? "" : read.slice(Math.max(0, at - 60), at + 60);
}

/** A part of a mail. */
export interface Part {
  type: string;
  body: Buffer | string;
  name?: string;
}

/** A mail with parts, each in base64. */
export function mailOf(
  setting: Pick<Setting, "inbox">,
  parts: readonly Part[],
  headers: readonly string[] = [],
): Buffer {
  const inner = parts.map(({ type, body, name }) =>
    [
      `--b\r\nContent-Type: ${type}`,
      "Content-Transfer-Encoding: base64",
      ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
      `\r\n${Buffer.from(body).toString("base64").replace(/.{76}/g, "$&\r\n")}\r\n`,
    ].join("\r\n"),
  );
  const top = [
    "From: Help <help@desk.example>",
    `To: ${setting.inbox.email}`,
    "Date: Thu, 01 Jan 2026 00:00:00 +0000",
    ...headers,
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=b",
  ];
  return Buffer.from(`${top.join("\r\n")}\r\n\r\n${inner.join("")}--b--\r\n`);
}

/** A text part. */
export const text = (body: string): Part => ({ type: "text/plain; charset=utf-8", body });
/** A file. */
export const file = (name: string, body: Buffer | string, type = "application/octet-stream"): Part => ({
  ...{ type, name, body },
});
/** A mail around another as an attached one. */
export const around = (setting: Pick<Setting, "inbox">, raw: Buffer): Buffer =>
  mailOf(setting, [text("See."), file("letter.eml", raw, "message/rfc822")]);

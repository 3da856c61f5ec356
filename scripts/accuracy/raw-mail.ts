/** Raw bytes as encoded in the sets. */
export interface Raw {
  b64: string;
}

/** Decodes a raw mail of a set. */
export function decodeRaw({ b64 }: Raw): Buffer {
  return Buffer.from(b64, "base64");
}

/** Builds a raw mail for the sets that have only a sender, a subject and a text. */
export function buildRawMail({
  from,
  subject,
  text,
}: {
  from: string;
  subject: string;
  text: string;
}): Uint8Array {
  const line = (value: string) => value.replace(/[\r\n]+/g, " ");
  const head = [
    `From: ${line(from)}`,
    "To: agent@inbox.test",
    `Subject: ${line(subject)}`,
    "Message-ID: <case@sender.test>",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** Builds a raw mail with a text and, if there is one, a page; each text of it is changed by `played`. */
export function buildPage(
  { from, subject, text, html }: { from: string; subject: string; text: string; html?: string | null },
  to: string,
  played: (body: string) => string = (body) => body,
): Uint8Array {
  const line = (value: string) => value.replace(/[\r\n]+/g, " ");
  const part = (type: string, body: string) =>
    `--part\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${played(body)}\r\n`;
  return Buffer.from(
    [
      `From: ${line(from)}`,
      `To: ${to}`,
      `Subject: ${played(line(subject))}`,
      "Message-ID: <case@sender.test>",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=part",
      "",
      `${part("plain", text)}${html == null ? "" : part("html", html)}--part--\r\n`,
    ].join("\r\n"),
  );
}

/** Headers that a collection, or the server that it came from, added; those of programs that send mail stay. */
const OF_THE_COLLECTION =
  /^(?:x-(?!from:|mailer|php|priority|originating-script)[\w-]+|content-length|lines|status):[^\n]*\n(?:[ \t][^\n]*\n)*/gim;

/** The recipient that one collection put in the place of each mail's own. */
const PLACEHOLDER = /[\w.+-]{1,64}@pot\b/g;
const RECIPIENT = "ada@agents.test";

/** Takes out of a mail what its collection put there. */
export function withoutCollectionHeaders(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw).toString("latin1").replaceAll("\r\n", "\n");
  const end = text.indexOf("\n\n");
  if (end < 0) return raw;
  const head = text.slice(0, end + 1).replace(OF_THE_COLLECTION, "");
  return Buffer.from(`${head}${text.slice(end + 1)}`.replace(PLACEHOLDER, RECIPIENT), "latin1");
}

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

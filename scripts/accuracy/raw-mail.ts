/** Raw bytes as the sets write them. */
export interface Raw {
  b64: string;
}

/** The bytes of a raw mail of a set. */
export function bytesOf({ b64 }: Raw): Uint8Array {
  return Buffer.from(b64, "base64");
}

/** A raw mail of a sender, a subject and a text, for the sets that have no more of a mail than that. */
export function rawMail({
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

import type { DkimKey } from "./dkim-key.ts";

/** The headers that a signature covers, where the mail has them (RFC 6376, section 5.4.1). */
const SIGNED_HEADERS = [
  ...["From", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References"],
  ...[
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "Auto-Submitted",
  ],
];

/** The mail with a DKIM-Signature (RFC 6376) of `domain` in front. Rejects when the key can't sign. */
export async function signMail(mail: { raw: Uint8Array; domain: string; key: DkimKey }): Promise<Uint8Array> {
  const { dkimSign } = await import("mailauth/lib/dkim/sign.js");
  const raw = Buffer.from(mail.raw.buffer, mail.raw.byteOffset, mail.raw.byteLength);
  const key = { signingDomain: mail.domain, selector: mail.key.selector, privateKey: mail.key.private_key };
  const signed = await dkimSign(raw, {
    ...key,
    canonicalization: "relaxed/relaxed",
    headerList: SIGNED_HEADERS,
    strict: true,
    signatureData: [key],
  });
  if (signed.signatures === "") throw new Error(`The mail could not be signed for ${mail.domain}.`);
  return Buffer.concat([Buffer.from(signed.signatures), raw]);
}

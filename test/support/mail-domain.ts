import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";

const selector = "mail2026";

/** A mail as its author writes it. */
export interface WrittenMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  message_id: string;
  in_reply_to?: string;
  attachments?: { filename: string; content: string }[];
}

/** A domain that publishes SPF, DKIM and DMARC, and signs its mail. */
export interface MailDomain {
  /** Its records, for the DNS server of the test. */
  zone: Zone;
  /** The mail as bytes, with the domain's DKIM signature. */
  sign(mail: WrittenMail): Promise<Buffer>;
}

/**
 * Makes a domain with a key of its own, whose mail comes from this machine only and is to be rejected when it
 * is forged.
 */
export function mailDomain(domain: string): MailDomain {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const key = {
    signingDomain: domain,
    selector,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  return {
    zone: {
      [`TXT ${domain}`]: ["v=spf1 ip4:127.0.0.1 -all"],
      [`TXT ${selector}._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${published}`],
      [`TXT _dmarc.${domain}`]: ["v=DMARC1; p=reject; adkim=s; aspf=s"],
    },
    async sign(mail) {
      const raw = await compose(mail);
      const { signatures } = await dkimSign(raw, {
        ...key,
        canonicalization: "relaxed/relaxed",
        signatureData: [key],
      });
      return Buffer.concat([Buffer.from(signatures), raw]);
    },
  };
}

/** A mail as bytes, without a signature. */
export function compose({ message_id, in_reply_to, ...mail }: WrittenMail): Promise<Buffer> {
  const reply = in_reply_to === undefined ? {} : { inReplyTo: in_reply_to, references: in_reply_to };
  return new MailComposer({ ...mail, ...reply, messageId: message_id, newline: "windows" }).compile().build();
}

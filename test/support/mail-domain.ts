import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";

const SELECTOR = "mail2026";

/** A mail as written by its author. */
export interface WrittenMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  message_id: string;
  in_reply_to?: string;
  /** When it is written and signed; now unless stated. */
  date?: Date;
  attachments?: { filename: string; content: string | Buffer; contentType?: string }[];
}

/** A domain that publishes SPF, DKIM and DMARC, and signs its mail. */
export interface MailDomain {
  /** Its records, for the test's DNS server. */
  zone: Zone;
  /** Composes the mail with the domain's DKIM signature. */
  sign(mail: WrittenMail): Promise<Buffer>;
}

/** Creates a domain with its own key: its mail comes only from this machine, and forged mail must be rejected. */
export function createMailDomain(domain: string): MailDomain {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const key = {
    signingDomain: domain,
    selector: SELECTOR,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  return {
    zone: {
      [`TXT ${domain}`]: ["v=spf1 ip4:127.0.0.1 -all"],
      [`TXT ${SELECTOR}._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${published}`],
      [`TXT _dmarc.${domain}`]: ["v=DMARC1; p=reject; adkim=s; aspf=s"],
    },
    async sign(mail) {
      const raw = await compose(mail);
      const { signatures } = await dkimSign(raw, {
        ...key,
        ...(mail.date === undefined ? {} : { signTime: mail.date }),
        canonicalization: "relaxed/relaxed",
        signatureData: [key],
      });
      return Buffer.concat([Buffer.from(signatures), raw]);
    },
  };
}

/** Composes a mail without a signature. */
export function compose({ message_id, in_reply_to, ...mail }: WrittenMail): Promise<Buffer> {
  const reply = in_reply_to === undefined ? {} : { inReplyTo: in_reply_to, references: in_reply_to };
  return new MailComposer({ ...mail, ...reply, messageId: message_id, newline: "windows" }).compile().build();
}

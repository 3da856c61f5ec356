import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { seeded } from "../../test/support/seeded.ts";
import { domainOf, type Envelope } from "./envelopes.ts";
import { generateText } from "./words.ts";

const SELECTOR = "bench";
/** Placeholder for each mail's Message-ID: as long as every id, and not covered by the signature. */
const ID_PLACEHOLDER = "000000000000000000000000";
/** Every eighth mail of the pool is HTML with a text part, like much real mail. */
const HTML_EVERY = 8;

/** A mail as it goes over SMTP. */
export interface SentMail extends Envelope {
  raw: Buffer;
}

/** Mails to send repeatedly with new Message-IDs, and the DNS records that authenticate them. */
export interface MailPool {
  mails: SentMail[];
  zone: Zone;
}

/** What a pool is made from: `count` mails of about `bytes` each, written by the envelopes in turn. */
export interface PoolOptions {
  count: number;
  bytes: number;
  envelopes: readonly Envelope[];
  seed: number;
}

/** Creates different mails, each signed by its sender's domain; above 50 KB most of a mail is an attachment. */
export async function createMailPool({ count, bytes, envelopes, seed }: PoolOptions): Promise<MailPool> {
  const zone: Zone = {};
  const keys = new Map<string, string>();
  for (const domain of new Set(envelopes.map(({ from }) => domainOf(from)))) {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    keys.set(domain, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    zone[`TXT ${domain}`] = ["v=spf1 ip4:127.0.0.1 -all"];
    zone[`TXT ${SELECTOR}._domainkey.${domain}`] = [`v=DKIM1; k=rsa; p=${published}`];
    zone[`TXT _dmarc.${domain}`] = ["v=DMARC1; p=reject; adkim=s; aspf=s"];
  }
  const mails: SentMail[] = [];
  for (let number = 0; number < count; number++) {
    const envelope = envelopes[number % envelopes.length];
    if (envelope === undefined) throw new Error("nobody writes");
    const raw = Buffer.from(rawMail(seeded(seed + number), number, bytes, envelope));
    const domain = domainOf(envelope.from);
    const signer = { signingDomain: domain, selector: SELECTOR, privateKey: keys.get(domain) ?? "" };
    const { signatures } = await dkimSign(raw, {
      canonicalization: "relaxed/relaxed",
      ...signer,
      headerList: ["From", "To", "Subject", "Date", "MIME-Version", "Content-Type"],
      signatureData: [signer],
    });
    mails.push({ ...envelope, raw: Buffer.concat([Buffer.from(signatures), raw]) });
  }
  return { mails, zone };
}

function rawMail(random: () => number, number: number, bytes: number, { from, to }: Envelope): string {
  const head = [
    "Received: from mx.sender.example.com (mx.sender.example.com [192.0.2.7]) by relay.example.net with ESMTPS; Fri, 20 Nov 2026 08:00:01 +0000",
    `From: Ada Example <${from}>`,
    `To: <${to}>`,
    `Subject: =?utf-8?B?${Buffer.from(generateText(random, number, 30).slice(0, 30)).toString("base64")}?=`,
    "Date: Fri, 20 Nov 2026 08:00:00 +0000",
    `Message-ID: <${ID_PLACEHOLDER}@${domainOf(from)}>`,
    "MIME-Version: 1.0",
  ];
  const overhead = 1_000;
  if (bytes > 50_000) {
    const text = textPart(random, number, 2_000);
    const content = Buffer.alloc(Math.floor((bytes - 4_000) * 0.73), `${number} a line of the report\n`);
    return multipart("mixed", head, [text, attachment(content)]);
  }
  if (number % HTML_EVERY === 0) {
    const text = generateText(random, number, (bytes - overhead) / 2.4);
    return multipart("alternative", head, [
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(Buffer.from(text))}`,
      `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(Buffer.from(`<html><body><p>${text.replaceAll("\n", "<br>\n")}</p></body></html>`))}`,
    ]);
  }
  return `${[...head, textPart(random, number, bytes - overhead)].join("\r\n")}\r\n`;
}

function textPart(random: () => number, number: number, bytes: number): string {
  const kept = Buffer.from(generateText(random, number, bytes))
    .subarray(0, bytes * 0.72)
    .toString("utf8");
  return `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(Buffer.from(kept))}`;
}

function attachment(content: Buffer): string {
  return [
    'Content-Type: application/octet-stream; name="report.bin"',
    "Content-Transfer-Encoding: base64",
    'Content-Disposition: attachment; filename="report.bin"',
    "",
    encoded(content),
  ].join("\r\n");
}

function multipart(kind: string, head: string[], parts: string[]): string {
  const boundary = "=_bench_boundary";
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return `${[...head, `Content-Type: multipart/${kind}; boundary="${boundary}"`, "", body].join("\r\n")}--${boundary}--\r\n`;
}

const encoded = (bytes: Buffer): string => bytes.toString("base64").replace(/.{76}(?=.)/g, "$&\r\n");

/** Returns the pool's mails in turn, each with its own Message-ID, which is returned too. */
export function cycleMails(mails: readonly SentMail[]): () => SentMail & { id: string } {
  const places = mails.map(({ raw }) => raw.indexOf(ID_PLACEHOLDER));
  let sent = 0;
  return () => {
    const number = sent++;
    const at = number % mails.length;
    const mail = mails[at];
    if (mail === undefined) throw new Error("there are no mails: prepare first");
    const raw = Buffer.from(mail.raw);
    const id = `${process.pid}x${number}`.padStart(ID_PLACEHOLDER.length, "0");
    raw.write(id, places[at] ?? 0, "latin1");
    return { ...mail, id, raw };
  };
}

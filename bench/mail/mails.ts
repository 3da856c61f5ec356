import { generateKeyPairSync, hash, type KeyObject, sign } from "node:crypto";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { seeded } from "../../test/support/seeded.ts";
import { domainOf, type Envelope } from "./envelopes.ts";
import { generateText } from "./words.ts";

const SELECTOR = "bench";
const SIGNED_HEADERS = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"];
/** Placeholder for the id in each mail's Message-ID: as long as every id. */
const ID_PLACEHOLDER = "000000000000000000000000";
/** Every eighth mail of the pool is HTML with a text part, like much real mail. */
const HTML_EVERY = 8;

/** A mail as it goes over SMTP. */
export interface SentMail extends Envelope {
  raw: Buffer;
}

/** A mail without Message-ID and signature, which it gets each time it is sent. */
export interface PooledMail extends SentMail {
  /** The signature's header without the signature itself. */
  signature: string;
  /** The signed headers and that one, in canonical form. */
  signed: string;
  key: KeyObject;
}

/** Mails to send repeatedly, and the DNS records that authenticate them. */
export interface MailPool {
  mails: PooledMail[];
  zone: Zone;
}

/** Mails to send, one after the other. */
export interface MailSource {
  /** The next mail of the pool, with a Message-ID and a signature of its own; `id` is in the Message-ID. */
  next(): SentMail & { id: string };
  /** Signs so many of the next mails now, so that it takes no time while they are sent. */
  prepare(count: number): void;
}

/** Options for a pool: `count` mails of about `bytes` each, which use the envelopes in turn. */
export interface PoolOptions {
  count: number;
  bytes: number;
  envelopes: readonly Envelope[];
  seed: number;
}

/** Creates different mails, each to be signed by its sender's domain; above 50 KB most of a mail is an attachment. */
export async function createMailPool({ count, bytes, envelopes, seed }: PoolOptions): Promise<MailPool> {
  const zone: Zone = {};
  const keys = new Map<string, KeyObject>();
  for (const domain of new Set(envelopes.map(({ from }) => domainOf(from)))) {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    keys.set(domain, privateKey);
    zone[`TXT ${domain}`] = ["v=spf1 ip4:127.0.0.1 -all"];
    zone[`TXT ${SELECTOR}._domainkey.${domain}`] = [`v=DKIM1; k=rsa; p=${published}`];
    zone[`TXT _dmarc.${domain}`] = ["v=DMARC1; p=reject; adkim=s; aspf=s"];
  }
  const mails: PooledMail[] = [];
  for (let number = 0; number < count; number++) {
    const envelope = envelopes[number % envelopes.length];
    if (envelope === undefined) throw new Error("nobody writes");
    const raw = Buffer.from(rawMail(seeded(seed + number), number, bytes, envelope));
    const domain = domainOf(envelope.from);
    const key = keys.get(domain);
    if (key === undefined) throw new Error(`${domain} has no key`);
    mails.push({ ...envelope, raw, key, ...prepareSignature(raw, domain) });
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

/**
 * Returns the part of a mail that DKIM signs (RFC 6376, relaxed/relaxed). The mails' bodies are canonical already: they
 * end in one CRLF.
 */
function prepareSignature(raw: Buffer, domain: string): Pick<PooledMail, "signature" | "signed"> {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw.subarray(0, end).toString("latin1").split("\r\n");
  const body_hash = hash("sha256", raw.subarray(end + 4), "base64");
  const names = SIGNED_HEADERS.map((name) => name.toLowerCase());
  const value = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${SELECTOR}; h=${names.join(":")}; bh=${body_hash}; b=`;
  const canonical = names.map((name) => {
    const line = headers.find((header) => header.toLowerCase().startsWith(`${name}:`)) ?? "";
    return `${name}:${line.slice(name.length + 1).trim()}`;
  });
  return {
    signature: `DKIM-Signature: ${value}`,
    signed: [...canonical, `dkim-signature:${value}`].join("\r\n"),
  };
}

/** Sends the pool's mails in turn, each as a new one. */
export function createMailSource(mails: readonly PooledMail[]): MailSource {
  const places = mails.map(({ raw }) => raw.indexOf(ID_PLACEHOLDER));
  const ahead: string[] = [];
  let [sent, prepared] = [0, 0];
  const idOf = (number: number) => `${process.pid}x${number}`.padStart(ID_PLACEHOLDER.length, "0");
  const mailOf = (number: number) => {
    const mail = mails[number % mails.length];
    if (mail === undefined) throw new Error("there are no mails: prepare first");
    return mail;
  };
  const signNext = () => {
    const { signed, key } = mailOf(prepared);
    const text = signed.replace(ID_PLACEHOLDER, idOf(prepared++));
    ahead.push(sign("sha256", Buffer.from(text, "latin1"), key).toString("base64"));
  };
  return {
    prepare(count) {
      while (ahead.length < count) signNext();
    },
    next() {
      if (ahead.length === 0) signNext();
      const number = sent++;
      const { from, to, raw, signature } = mailOf(number);
      const id = idOf(number);
      const mail = Buffer.concat([Buffer.from(`${signature}${ahead.shift() ?? ""}\r\n`), raw]);
      mail.write(id, mail.length - raw.length + (places[number % mails.length] ?? 0), "latin1");
      return { from, to, id, raw: mail };
    },
  };
}

import { generateKeyPairSync } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import type { Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { seeded } from "../../test/support/seeded.ts";
import { generateText } from "./words.ts";

/** The sender of the load's mail. */
export const SENDER = { domain: "sender.example.com", address: "ada@sender.example.com" };

const SELECTOR = "bench";
/** Placeholder for each mail's Message-ID: as long as every id, and not covered by the signature. */
const ID_PLACEHOLDER = "000000000000000000000000";
/** Every eighth mail of the pool is HTML with a text part, like much real mail. */
const HTML_EVERY = 8;

/** Mails to send repeatedly with new Message-IDs, and the DNS records that authenticate them. */
export interface MailPool {
  raws: Buffer[];
  zone: Zone;
}

/** Creates different signed mails of about `bytes` each; above 50 KB most of a mail is an attachment. */
export async function createMailPool(options: {
  count: number;
  bytes: number;
  to: string;
  seed: number;
}): Promise<MailPool> {
  const { count, bytes, to, seed } = options;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  const raws: Buffer[] = [];
  for (let number = 0; number < count; number++) {
    const random = seeded(seed + number);
    const raw = Buffer.from(rawMail(random, number, bytes, to));
    const { signatures } = await dkimSign(raw, {
      canonicalization: "relaxed/relaxed",
      signingDomain: SENDER.domain,
      selector: SELECTOR,
      privateKey: key,
      headerList: ["From", "To", "Subject", "Date", "MIME-Version", "Content-Type"],
      signatureData: [{ signingDomain: SENDER.domain, selector: SELECTOR, privateKey: key }],
    });
    raws.push(Buffer.concat([Buffer.from(signatures), raw]));
  }
  return {
    raws,
    zone: {
      [`TXT ${SENDER.domain}`]: ["v=spf1 ip4:127.0.0.1 -all"],
      [`TXT ${SELECTOR}._domainkey.${SENDER.domain}`]: [`v=DKIM1; k=rsa; p=${published}`],
      [`TXT _dmarc.${SENDER.domain}`]: ["v=DMARC1; p=reject; adkim=s; aspf=s"],
    },
  };
}

function rawMail(random: () => number, number: number, bytes: number, to: string): string {
  const head = [
    "Received: from mx.sender.example.com (mx.sender.example.com [192.0.2.7]) by relay.example.net with ESMTPS; Fri, 20 Nov 2026 08:00:01 +0000",
    `From: Ada Example <${SENDER.address}>`,
    `To: <${to}>`,
    `Subject: =?utf-8?B?${Buffer.from(generateText(random, number, 30).slice(0, 30)).toString("base64")}?=`,
    "Date: Fri, 20 Nov 2026 08:00:00 +0000",
    `Message-ID: <${ID_PLACEHOLDER}@${SENDER.domain}>`,
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
export function cycleMails({ raws }: Pick<MailPool, "raws">): () => { id: string; raw: Buffer } {
  const places = raws.map((raw) => raw.indexOf(ID_PLACEHOLDER));
  let sent = 0;
  return () => {
    const number = sent++;
    const at = number % raws.length;
    const raw = Buffer.from(raws[at] ?? "");
    const id = `${process.pid}x${number}`.padStart(ID_PLACEHOLDER.length, "0");
    raw.write(id, places[at] ?? 0, "latin1");
    return { id, raw };
  };
}

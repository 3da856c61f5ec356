import { createSecretKey, timingSafeEqual } from "node:crypto";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { organisationalDomain } from "../../packages/core/src/mail/sender/alignment.ts";
import { signatureHeaders } from "../../packages/core/src/webhooks/signing.ts";
import { check, type TestSet } from "./check.ts";
import { buildRawMail } from "./raw-mail.ts";
import { createZoneDns, type Zone } from "./zone-dns.ts";

interface SpfCase {
  id: string;
  helo: string;
  ip: string;
  mailfrom: string;
  any_of: string[];
  zone: Zone;
}

const SPF: TestSet<SpfCase> = {
  file: "spf_rfc7208",
  targets: { result: 1 },
  async score({ id, helo, ip, mailfrom, any_of, zone }) {
    const auth = createSenderAuth({ dns: createZoneDns(zone), name: "mx.inbox.test" });
    const raw = buildRawMail({ from: "ann@sender.test", subject: "Hello", text: "Hello." });
    const { spf: found } = await auth.check({ raw, envelope: { mail_from: mailfrom, client_ip: ip, helo } });
    return [
      check("result", id, any_of.includes(found.result), () => [
        found.result,
        `expected ${any_of.join(" or ")}`,
      ]),
    ];
  },
};

const DOMAINS: TestSet<{ input: string; expected: string | null }> = {
  file: "psl",
  targets: { "organisational domain": 1 },
  score({ input, expected }) {
    const found = organisationalDomain(input);
    // A public suffix has no owner: the name is returned unchanged, and is aligned only with itself.
    const wanted = expected ?? input;
    return [
      check("organisational domain", input, found === wanted, () => [
        expected === null ? "suffix" : "domain",
        found,
      ]),
    ];
  },
};

interface HmacCase {
  id: number;
  key: string;
  msg: string;
  tag: string;
  tag_bits: number;
  expected: "valid" | "invalid";
}

const HMAC: TestSet<HmacCase> = {
  file: "hmac",
  targets: { verdict: 1 },
  score({ id, key, msg, tag, tag_bits, expected }) {
    const secret = createSecretKey(Buffer.from(key, "hex"));
    const body = Buffer.from(msg, "hex");
    const delivery = { delivery_id: "", event_id: "", event_type: "", timestamp: 0 };
    const header = signatureHeaders([{ own: secret, standard: secret }], { ...delivery, body })[
      "x-svc-signature"
    ];
    const signature = Buffer.from(header?.slice("sha256=".length) ?? "", "hex").subarray(0, tag_bits / 8);
    const given = Buffer.from(tag, "hex");
    const valid = given.length === signature.length && timingSafeEqual(given, signature);
    return [
      check("verdict", String(id), valid === (expected === "valid"), () => [
        expected,
        `key of ${key.length * 4} bits`,
      ]),
    ];
  },
};

/** Sets about who sent something: SPF, the owner of a domain, the signature of a webhook. */
export const SENDER_SETS = [SPF, DOMAINS, HMAC];

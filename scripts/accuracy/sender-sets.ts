import { createSecretKey, timingSafeEqual } from "node:crypto";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { signatureHeaders } from "../../packages/core/src/events/webhooks/signing.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { organisationalDomain } from "../../packages/core/src/mail/sender/alignment.ts";
import { authenticateSender } from "../../packages/core/src/mail/sender/authentication.ts";
import { check, type TestSet } from "./check.ts";
import { buildRawMail, decodeRaw, type Raw } from "./raw-mail.ts";
import { createZoneDns, readZoneFile, type Zone } from "./zone-dns.ts";

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

interface SignedCase {
  id: string;
  input: Raw;
  alg: string;
  expected: "pass" | "fail" | "invalid";
  /** By name, in the form of TXT records. */
  dns: Readonly<Record<string, string>>;
}

/** Signatures that the set has as passing, but RFC 8301 forbids, or that follow drafts, which lack `v=` (RFC 6376). */
const FORBIDDEN_ALGORITHMS = ["rsa-sha1"];
const HAS_VERSION = /^dkim-signature:(?:[^\n]*;)?[ \t\r]*(?:\n[ \t]+)?v=1/im;
const PASSES = "valid signatures pass";
const FAILS = "others don't pass";

const DKIM: TestSet<SignedCase> = {
  file: "measure-only/dkim_perl",
  targets: { [PASSES]: 0.95, [FAILS]: 1 },
  async score({ id, input, alg, expected, dns }) {
    const zone = Object.fromEntries(Object.entries(dns).map(([name, TXT]) => [name, [{ TXT }]]));
    const auth = createSenderAuth({ dns: createZoneDns(zone), name: "mx.inbox.test" });
    const envelope = { mail_from: "", client_ip: "192.0.2.1", helo: "host.test" };
    const { dkim } = await auth.check({ raw: decodeRaw(input), envelope });
    const passes = dkim.some(({ result }) => result === "pass");
    const valid =
      expected === "pass" &&
      !FORBIDDEN_ALGORITHMS.includes(alg) &&
      HAS_VERSION.test(decodeRaw(input).toString("latin1"));
    return [
      check(valid ? PASSES : FAILS, id, passes === valid, () => [
        `${expected} ${alg} read as ${dkim.map(({ result }) => result).join(" and ") || "none"}`,
        dkim.map(({ result }) => result).join(),
      ]),
    ];
  },
};

interface ReceivedCase {
  id: string;
  input: Raw;
  ip: string;
  helo: string;
  mailfrom: string;
  expected: { spf: string | null; dkim: string | null; dmarc: string };
  zonefile: string;
}

const RECEIVED: TestSet<ReceivedCase> = {
  file: "measure-only/authmilter",
  targets: { spf: 0.95, dkim: 0.95, dmarc: 0.95 },
  async score({ id, input, ip, helo, mailfrom, expected, zonefile }) {
    const raw = decodeRaw(input);
    const auth = createSenderAuth({ dns: createZoneDns(readZoneFile(zonefile)), name: "mx.inbox.test" });
    const envelope = { mail_from: mailfrom.replace(/^<|>$/g, ""), client_ip: ip, helo };
    const found = authenticateSender(await auth.check({ raw, envelope }), await parseMail(raw), []);
    return (["spf", "dkim", "dmarc"] as const).flatMap((part) => {
      const wanted = expected[part];
      if (wanted === null) return [];
      return [check(part, id, found[part] === wanted, () => [`${found[part]} for ${wanted}`, found[part]])];
    });
  },
};

/** Sets about who sent something: SPF, DKIM and DMARC, the owner of a domain, the signature of a webhook. */
export const SENDER_SETS = [SPF, DKIM, RECEIVED, DOMAINS, HMAC];

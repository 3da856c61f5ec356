import fc from "fast-check";
import { expect, test } from "vitest";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { authenticateSender } from "../../packages/core/src/mail/sender/authentication.ts";
import type { Dns } from "../../packages/core/src/ports/dns.ts";
import { caseCount, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { createProgress } from "../support/progress.ts";
import { createSigningKey, sign } from "../support/signer.ts";

/**
 * Mallory has an address at Mara's domain and a mail that the domain signed for him. No parser may see it as Mara's and
 * as signed, with any additions of his: the header is parsed separately for the signature and for the message.
 */
const key = createSigningKey("example.com");
const dns = {
  resolve: async (name: string) => {
    const [record] = Object.entries(key.zone).flatMap(([question, value]) =>
      question === `TXT ${name}` ? value : [],
    );
    if (record === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    return [[record]];
  },
} as unknown as Dns;
const senderAuth = createSenderAuth({ dns });
const ENVELOPE = { mail_from: "", client_ip: null, helo: null };

const cases = caseCount(600, 30_000);
const MALLORY = "mallory@example.com";
const FIELDS = [`From: Mallory <${MALLORY}>`, "To: bo@example.org", "Subject: Hi"];
/** Mostly the intended value, sometimes another. */
const mostly = (usual: string, ...odd: string[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...odd) });
const ends = fc.constantFrom(
  "\r\n",
  "\n",
  "\r\r\n",
  "\r",
  "\n\r",
  "\r\n\r\n",
  "\n\n",
  "\0",
  "\v",
  "\f",
  "\x85",
  "\u2028",
  "\r\n ",
);
const gap = mostly("", " ", "\t", "\r\n ", "\n\t", "\r", "\0", "\xa0", "\x7f", "\r\n", "\n", "  \r\n  ");
const fold = mostly("\r\n ", "", " ", "\t", "\r\n\t", "\n ", "\r", "\0", " \r\n ", "\r\n", "\r\n \r\n ");
const name = mostly(
  "From",
  "from",
  "FROM",
  "Fr\0om",
  "From\0",
  "\xa0From",
  "From\r\n",
  ">From",
  "X",
  "Sender",
  "From from",
  "",
);
const colon = mostly(":", "", "::", "\uff1a");
const forged = fc
  .tuple(gap, name, gap, colon, gap, ends)
  .map(
    ([before, called, within, mark, after, end]) =>
      `${before}${called}${within}${mark}${after}Mara <mara@example.com>${end}`,
  );
/** The signed mail with changed blanks in its From, and forged lines between its fields. */
const attack = fc
  .tuple(
    mostly("relaxed/relaxed", "simple/simple"),
    mostly("from:to:subject", "from:from:to:subject", "from"),
    fold,
    gap,
    fc.array(fc.tuple(fc.nat({ max: FIELDS.length + 1 }), forged), { minLength: 1, maxLength: 3 }),
  )
  .map(([c, h, within, after, lines]) => {
    const signed = sign([...FIELDS, "", "Hello.", ""].join("\r\n"), key, { c, h });
    const own = signed.replace("From: ", () => `From${within}:${after || " "}`);
    const places = own.split(/(?<=\r\n)(?=From|To|Subject|\r\n)/);
    for (const [at, line] of lines) places.splice(Math.min(at, places.length), 0, line);
    return places.join("");
  });

test("no line around a signed From makes it someone else's", { timeout: PROOF_TIMEOUT_MS }, async () => {
  let verified = 0;
  const told = createProgress("forged mails", cases);
  await fc.assert(
    fc.asyncProperty(attack, async (mail) => {
      told();
      const raw = Buffer.from(mail, "latin1");
      const [facts, parsed] = await Promise.all([
        senderAuth.check({ raw, envelope: ENVELOPE }),
        parseMail(raw),
      ]);
      if (facts.dkim.some(({ result }) => result === "pass")) verified += 1;
      if (!authenticateSender(facts, parsed, []).passes) return;
      expect(parsed.from.map(({ address }) => address)).toEqual([MALLORY]);
    }),
    { seed: PROOF_SEED, numRuns: cases },
  );
  // Otherwise nothing was tested.
  expect(verified).toBeGreaterThan(10);
});

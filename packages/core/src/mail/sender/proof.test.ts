import { describe, expect, test } from "vitest";
import { HEADERS_SIGNED_BY } from "../../../test/signing-habits.fixture.ts";
import { signedBy } from "../../../testing/build-mail.ts";
import type { DkimSignature } from "../../model/sender-facts.ts";
import { authenticateSender } from "./authentication.ts";
import {
  CLOCK_GRACE_MS,
  doubtOfAuthor,
  doubtOfOrder,
  doubtOfWord,
  hasPersonProof,
  isNamed,
  noProof,
  type OwnMarks,
  type PersonProof,
  readProof,
} from "./proof.ts";

const INBOX = "agent@mail.example.org";
const REPLY = "r+abcdefghijklmnopqrstuvwxyz@mail.example.org";
const LETTER = "<letter@mail.example.org>";
const letter = {
  reply_address: REPLY,
  is_named_by: (id: string) => id === LETTER,
  sent_at: Date.UTC(2026, 0, 1),
};
const now = letter.sent_at + 3_600_000;
const [good] = signedBy("example.com").dkim as [DkimSignature];
const signatureWith = (change: Partial<DkimSignature> = {}): DkimSignature => ({ ...good, ...change });

/** A reply with a signature that covers everything, whose sending host proves nothing. */
const proof = (change: Partial<PersonProof> = {}): PersonProof => ({
  kind: "person",
  aligned_spf: false,
  signatures: [signatureWith()],
  author: "grace@example.com",
  to: [REPLY],
  cc: [],
  date: now - 60_000,
  message_id: "<reply@example.com>",
  in_reply_to: LETTER,
  last_reference: LETTER,
  ...change,
});
const signed = (...signed_headers: string[]) => ({ signatures: [signatureWith({ signed_headers })] });
const ALL = ["from", "to", "cc", "subject", "date", "in-reply-to"];
const without = (...names: string[]) => signed(...ALL.filter((name) => !names.includes(name)));
const bySpf = { aligned_spf: true, signatures: [] };
const seconds = (ms: number) => Math.floor(ms / 1000);

describe("an owner's word by mail", () => {
  test.each<[string, Partial<PersonProof>]>([
    ["a reply whose signature covers everything", {}],
    ["a reply that names the letter in To alone", { in_reply_to: null, last_reference: null }],
    [
      "a reply that has the reply address in Cc",
      { to: ["ada@example.com"], cc: [REPLY], ...without("in-reply-to") },
    ],
    ["a reply that is tied to the letter by In-Reply-To alone", { ...without("to") }],
    ["a reply that names the letter last in References", { in_reply_to: null }],
    ["a reply that the author's own server delivered, without a signature", bySpf],
    [
      "a reply with a useless signature that the author's own server delivered",
      { ...signed("from"), aligned_spf: true },
    ],
    [
      "a reply whose second signature is the good one",
      { signatures: [signatureWith({ key_testing: true }), signatureWith()] },
    ],
    [
      "a reply with times between the letter and now",
      { signatures: [signatureWith({ signed_at: seconds(now), expires_at: seconds(now) + 60 })] },
    ],
    ["a reply by a clock that is ten minutes behind", { date: letter.sent_at - CLOCK_GRACE_MS }],
    ["a reply by a clock that is ten minutes ahead", { date: now + CLOCK_GRACE_MS }],
  ])("%s counts", (_what, change) => {
    expect(doubtOfWord(proof(change), letter, now)).toBeNull();
  });

  test.each<[string, Partial<PersonProof>, string]>([
    ["that answers another mail", { in_reply_to: "<other@example.com>" }, "another mail"],
    [
      "whose last reference is another mail",
      { in_reply_to: null, last_reference: "<other@example.com>" },
      "another mail",
    ],
    ["without a Date", { date: null }, "Date"],
    ["from before the letter", { date: letter.sent_at - CLOCK_GRACE_MS - 1 }, "Date"],
    ["from the future", { date: now + CLOCK_GRACE_MS + 1 }, "Date"],
    [
      "from before the letter that SPF allows",
      { ...bySpf, date: letter.sent_at - CLOCK_GRACE_MS - 1 },
      "Date",
    ],
    ["whose signature leaves From open", without("from"), "leaves From"],
    ["whose signature leaves Date open", without("date"), "leaves Date"],
    ["whose signature leaves Subject open", without("subject"), "leaves Subject"],
    ["whose signature names the letter nowhere", without("to", "cc", "in-reply-to"), "names the letter"],
    [
      "with the reply address in an unsigned Cc",
      { to: [], cc: [REPLY], ...without("cc", "in-reply-to") },
      "names the letter",
    ],
    [
      "to somebody else, with an unsigned In-Reply-To put on top",
      { to: [INBOX], ...without("in-reply-to") },
      "names the letter",
    ],
    ["signed with a key in testing", { signatures: [signatureWith({ key_testing: true })] }, "testing"],
    [
      "signed over a part of the body",
      { signatures: [signatureWith({ body_length_limited: true })] },
      "end of the body",
    ],
    [
      "signed before the letter",
      { signatures: [signatureWith({ signed_at: seconds(letter.sent_at) - 601 })] },
      "between the letter",
    ],
    [
      "signed in the future",
      { signatures: [signatureWith({ signed_at: seconds(now) + 601 })] },
      "between the letter",
    ],
    ["whose signature is past", { signatures: [signatureWith({ expires_at: seconds(now) - 1 })] }, "expired"],
  ])("a reply %s does not", (_what, change, missing) => {
    expect(doubtOfWord(proof(change), letter, now)).toContain(missing);
  });
});

describe("an order", () => {
  const isInbox = (address: string) => address === INBOX;
  const order = (change: Partial<PersonProof>) =>
    proof({ to: [INBOX], in_reply_to: null, last_reference: null, ...change });

  test.each<[string, Partial<PersonProof>]>([
    ["that names the inbox in a signed To", {}],
    ["that names the inbox in a signed Cc", { to: [], cc: [INBOX] }],
    ["of any age", { date: 0 }],
    ["that the author's own server delivered to the inbox alone", { ...bySpf, to: [] }],
  ])("%s is trusted", (_what, change) => {
    expect(doubtOfOrder(order(change), isInbox)).toBeNull();
  });

  test.each<[string, Partial<PersonProof>, string]>([
    ["that names another inbox", { to: ["other@mail.example.org"] }, "names this inbox"],
    ["that names the inbox in an unsigned To", without("to"), "names this inbox"],
    ["that names the inbox in an unsigned Cc", { to: [], cc: [INBOX], ...without("cc") }, "names this inbox"],
  ])("%s is not", (_what, change, doubt) => {
    expect(doubtOfOrder(order(change), isInbox)).toContain(doubt);
  });
});

describe("a person outside", () => {
  const author = {
    passes: true,
    ambiguous: false,
    aligned_spf: false,
    signatures: [signatureWith({ signed_headers: ["from", "date", "subject"] })],
  };

  test.each<[string, Partial<typeof author>]>([
    ["a signature that covers From, Date and Subject", {}],
    ["SPF alone", bySpf],
    ["SPF beside a useless signature", { aligned_spf: true, ...signed("from") }],
    [
      "the second of two signatures",
      { signatures: [signatureWith({ key_testing: true }), ...author.signatures] },
    ],
  ])("is proven by %s", (_what, change) => {
    expect(doubtOfAuthor({ ...author, ...change })).toBeNull();
  });

  test.each<[string, Partial<typeof author>, string]>([
    ["a mail that was not authenticated", { passes: false }, "not authenticated"],
    ["a header twice, although SPF passes", { ...bySpf, ambiguous: true }, "twice"],
    ["neither SPF nor a signature", { signatures: [] }, "neither SPF"],
    ["a signature without From", without("from"), "leaves From"],
    ["a signature without Date", without("date"), "leaves Date"],
    ["a signature without Subject", without("subject"), "leaves Subject"],
    ["a key in testing", { signatures: [signatureWith({ key_testing: true })] }, "testing"],
    [
      "a signature over a part of the body",
      { signatures: [signatureWith({ body_length_limited: true })] },
      "end of the body",
    ],
  ])("is not proven by %s", (_what, change, doubt) => {
    expect(doubtOfAuthor({ ...author, ...change })).toContain(doubt);
  });

  test("has this address and no other, and no inbox of this service is one", () => {
    const inbox = { inbox_id: "inb_1", account_id: "acct_1", address: "grace@example.com" };
    expect(hasPersonProof({ proof: proof() }, "Grace@Example.com")).toBe(true);
    expect(hasPersonProof({ proof: proof() }, "ada@example.com")).toBe(false);
    expect(hasPersonProof({ proof: { kind: "inbox", ...inbox } }, inbox.address)).toBe(false);
    expect(hasPersonProof({ proof: noProof("it was injected") }, "grace@example.com")).toBe(false);
  });
});

describe("what the providers sign, unmodified", () => {
  const habits = Object.entries(HEADERS_SIGNED_BY);
  const from = (signed_headers: readonly string[], change: Partial<PersonProof> = {}) =>
    proof({ signatures: [signatureWith({ signed_headers: [...new Set(signed_headers)] })], ...change });

  test.each(habits)("a reply from %s counts by SPF", (_provider, { headers }) => {
    expect(doubtOfWord(from(headers, { aligned_spf: true }), letter, now)).toBeNull();
  });

  test.each(habits)(
    "one from %s, without SPF, counts if it signs what names the letter",
    (_provider, { headers, ties }) => {
      expect(doubtOfWord(from(headers), letter, now) === null).toBe(ties);
    },
  );

  test.each(habits)(
    "an old one to the agent from %s never counts, whatever is put on top",
    (_provider, { headers }) => {
      // A signed header can't be added to, so To and In-Reply-To change only if they aren't signed.
      const to = headers.includes("to") ? [INBOX] : [REPLY];
      const in_reply_to = headers.includes("in-reply-to") ? "<question@mail.example.org>" : LETTER;
      expect(doubtOfWord(from(headers, { to, in_reply_to }), letter, now)).not.toBeNull();
    },
  );

  test.each(habits)("an order from %s to one inbox is none in another", (_provider, { headers }) => {
    const to = headers.includes("to") ? ["other@mail.example.org"] : [INBOX];
    expect(doubtOfOrder(from(headers, { to }), (address) => address === INBOX)).not.toBeNull();
  });
});

describe("the proof of a mail", () => {
  const mail = {
    headers: [{ name: "from", value: "" }],
    from: [{ address: "Grace@Example.com", name: "" }],
    to: [{ address: INBOX.toUpperCase(), name: "" }],
    cc: [],
    date: "2026-01-01T00:00:00.000Z",
    message_id: "<1@example.com>",
    in_reply_to: null,
    references: ["<a@example.com>", "<b@example.com>"],
    truncated: [] as string[],
  };
  const facts = signedBy("example.com");
  const read = (
    change: Partial<typeof mail> = {},
    given = facts,
    own: OwnMarks = { domains: ["mail.example.org"], keys: [] },
  ) =>
    readProof(
      { ...mail, ...change },
      given,
      authenticateSender(given, { from: mail.from, from_headers: 1 }, []),
      own,
    );

  test("has addresses and times in one form", () => {
    expect(read()).toMatchObject({
      author: "grace@example.com",
      to: [INBOX],
      date: letter.sent_at,
      last_reference: "<b@example.com>",
    });
  });

  const twice = { kind: "none", reason: "a header that may be there once is there twice" };

  test.each(["from", "to", "cc", "subject", "date", "in-reply-to", "content-type"])(
    "is none with a second %s, signed or not",
    (name) => {
      expect(
        read({
          headers: [
            { name, value: "a" },
            { name, value: "b" },
          ],
        }),
      ).toMatchObject(twice);
      expect(read({}, { ...facts, repeated_headers: [name] })).toMatchObject(twice);
    },
  );

  test("is none when headers were cut off", () => {
    expect(read({ truncated: ["headers"] })).toMatchObject(twice);
  });

  test.each(["example.com", "mail.example.com"])("leaves out SPF and keys of the service's own %s", (own) => {
    const ours = { ...signedBy(own), dmarc: facts.dmarc };
    expect(read({}, ours, { domains: [own], keys: [] })).toMatchObject({ kind: "none", signatures: [] });
    expect(read({}, ours)).toMatchObject({ kind: "person", aligned_spf: true, signatures: ours.dkim });
  });

  test("leaves out keys that are or were its own, at whatever domain and selector", () => {
    const [signature] = facts.dkim as [DkimSignature];
    const ours = { ...signature, key_hash: "ours" };
    const both = { ...facts, dkim: [ours, signature] };
    expect(read({}, both, { domains: [], keys: ["ours"] }).signatures).toEqual([signature]);
    expect(read({}, both, { domains: [], keys: ["another"] }).signatures).toEqual([ours, signature]);
  });

  test("leaves out selectors of the service's form, whoever's key is there", () => {
    const [signature] = facts.dkim as [DkimSignature];
    const at = (selector: string) => ({ ...signature, selector });
    const all = [at("ls-abc123"), at("LS-abc123-2"), at("ls-abc"), signature];
    expect(read({}, { ...facts, dkim: all }, { domains: [], keys: [] }).signatures).toEqual([
      at("ls-abc"),
      signature,
    ]);
  });
});

test("an author names whom a signed To or Cc names, or any To or Cc of mail from their own server", () => {
  const named = (change: Partial<PersonProof>) => isNamed(proof(change), (address) => address === REPLY);
  expect(named({})).toBe(true);
  expect(named(without("to"))).toBe(false);
  expect(named({ ...without("to"), aligned_spf: true })).toBe(true);
  expect(named({ to: [INBOX] })).toBe(false);
});

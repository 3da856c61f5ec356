import { describe, expect, test } from "vitest";
import type { ArcChain, DkimSignature, SenderFacts } from "../../model/sender-facts.ts";

import { organisationalDomain } from "./alignment.ts";
import { authenticateSender } from "./authentication.ts";

const signature = (change: Partial<DkimSignature> = {}): DkimSignature => ({
  result: "pass",
  domain: "example.com",
  identity_domain: change.domain ?? "example.com",
  selector: "s1",
  strict_identity: false,
  body_length_limited: false,
  signs_from: true,
  repeats_signed: false,
  key_bits: 2048,
  key_hash: "a key",
  key_testing: false,
  signed_headers: ["from", "to", "subject", "date"],
  signed_at: null,
  expires_at: null,
  signature: "b",
  ...change,
});
const policy = {
  domain: "example.com",
  policy: "reject" as const,
  strict_dkim: false,
  strict_spf: false,
  apart: [] as string[],
};
const facts = (change: Partial<SenderFacts> = {}): SenderFacts => ({
  spf: { result: "none", domain: null },
  dkim: [],
  arc: null,
  dmarc: policy,
  dmarc_temperror: false,
  repeated_headers: [],
  ...change,
});
const spf = (domain: string | null, result: SenderFacts["spf"]["result"] = "pass") => ({
  spf: { result, domain },
});
const from = (...addresses: string[]) => ({
  from: addresses.map((address) => ({ address, name: "" })),
  from_headers: 1,
});
const ada = from("ada@example.com");
const judge = (given: SenderFacts, mail = ada) => authenticateSender(given, mail, []);

describe("dmarc", () => {
  test.each([
    ["an aligned signature passes", facts({ dkim: [signature()] }), ada, "pass", true, true],
    [
      "a signature of the organisational domain passes",
      facts({ dkim: [signature()] }),
      from("ada@mail.example.com"),
      "pass",
      true,
      true,
    ],
    [
      "a signature of a subdomain passes",
      facts({ dkim: [signature({ domain: "mail.example.com" })] }),
      ada,
      "pass",
      true,
      true,
    ],
    [
      "Ed25519 has no RSA bits and passes",
      facts({ dkim: [signature({ key_bits: null })] }),
      ada,
      "pass",
      true,
      true,
    ],
    [
      "the case of a domain does not matter",
      facts({ dkim: [signature({ domain: "Example.COM." })] }),
      ada,
      "pass",
      true,
      true,
    ],
    [
      "an identity in a subdomain passes",
      facts({ dkim: [signature({ identity_domain: "a.example.com" })] }),
      ada,
      "pass",
      true,
      true,
    ],
    [
      "one good signature among bad ones passes",
      facts({ dkim: [signature({ result: "fail" }), signature()] }),
      ada,
      "pass",
      true,
      true,
    ],
    ["aligned SPF passes without aligned DKIM", facts(spf("bounce.example.com")), ada, "pass", false, true],
    [
      "SPF under a strict record takes the same domain",
      facts({ ...spf("example.com"), dmarc: { ...policy, strict_spf: true } }),
      ada,
      "pass",
      false,
      true,
    ],
    [
      "DKIM without a policy is none, and enough",
      facts({ dkim: [signature()], dmarc: null }),
      ada,
      "none",
      true,
      true,
    ],
    [
      "SPF without a policy is none, and not enough",
      facts({ ...spf("example.com"), dmarc: null }),
      ada,
      "none",
      false,
      false,
    ],
    [
      "a record of another domain is no policy",
      facts({ ...spf("example.com"), dmarc: { ...policy, domain: "example.org" } }),
      ada,
      "none",
      false,
      false,
    ],
    [
      "a record without a domain is no policy",
      facts({ ...spf("example.com"), dmarc: { ...policy, domain: "" } }),
      ada,
      "none",
      false,
      false,
    ],
    ["nothing at all fails", facts(), ada, "fail", false, false],
    [
      "a signature of a stranger fails",
      facts({ dkim: [signature({ domain: "evil.test" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    ["SPF of a stranger fails", facts(spf("evil.test")), ada, "fail", false, false],
    ["SPF without a domain fails", facts(spf(null)), ada, "fail", false, false],
    ["SPF softfail fails", facts(spf("example.com", "softfail")), ada, "fail", false, false],
    ["SPF temperror fails", facts(spf("example.com", "temperror")), ada, "fail", false, false],
    [
      "DKIM temperror fails",
      facts({ dkim: [signature({ result: "temperror" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "a strict record refuses the organisational domain",
      facts({ dkim: [signature()], dmarc: { ...policy, strict_dkim: true } }),
      from("ada@mail.example.com"),
      "fail",
      false,
      false,
    ],
    [
      "a strict record refuses SPF of a subdomain",
      facts({ ...spf("b.example.com"), dmarc: { ...policy, strict_spf: true } }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "a domain that the tree walk finds in another organisation is a stranger",
      facts({
        ...spf("students.example.com"),
        dkim: [signature({ domain: "students.example.com" })],
        dmarc: { ...policy, apart: ["students.example.com"] },
      }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "one found apart stands for itself",
      facts({
        dkim: [signature({ domain: "students.example.com" })],
        dmarc: { ...policy, domain: "students.example.com", apart: ["students.example.com"] },
      }),
      from("ada@students.example.com"),
      "pass",
      true,
      true,
    ],
    [
      "neighbours under a private suffix are strangers",
      facts({ dkim: [signature({ domain: "evil.github.io" })], dmarc: null }),
      from("ada@good.github.io"),
      "none",
      false,
      false,
    ],
    [
      "a suffix itself owns nobody",
      facts({ dkim: [signature({ domain: "co.uk" })], dmarc: null }),
      from("ada@example.co.uk"),
      "none",
      false,
      false,
    ],
    [
      "an identity outside the domain does not count",
      facts({ dkim: [signature({ identity_domain: "evil.test" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "an identity that only ends alike does not count",
      facts({ dkim: [signature({ identity_domain: "notexample.com" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "t=s refuses an identity in a subdomain",
      facts({ dkim: [signature({ strict_identity: true, identity_domain: "a.example.com" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "t=s accepts the domain itself",
      facts({ dkim: [signature({ strict_identity: true })] }),
      ada,
      "pass",
      true,
      true,
    ],
    [
      "a body length limit does not count",
      facts({ dkim: [signature({ body_length_limited: true })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "an unsigned From does not count",
      facts({ dkim: [signature({ signs_from: false })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "a header that is signed and stands there twice does not count",
      facts({ dkim: [signature({ repeats_signed: true })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "a short RSA key does not count",
      facts({ dkim: [signature({ key_bits: 768 })] }),
      ada,
      "fail",
      false,
      false,
    ],
    ["1024 bits count", facts({ dkim: [signature({ key_bits: 1024 })] }), ada, "pass", true, true],
    [
      "an unknown policy passes nothing",
      facts({ ...spf("example.com"), dkim: [signature()], dmarc: null, dmarc_temperror: true }),
      ada,
      "temperror",
      false,
      false,
    ],
    [
      "two addresses in From fail",
      facts({ dkim: [signature()] }),
      from("ada@example.com", "eve@evil.test"),
      "fail",
      false,
      false,
    ],
    ["no address in From fails", facts({ dkim: [signature()] }), from(""), "fail", false, false],
    ["an empty From fails", facts({ dkim: [signature()] }), from(), "fail", false, false],
    ["an address without a domain fails", facts({ dkim: [signature()] }), from("ada@"), "fail", false, false],
    [
      "a name without a domain fails",
      facts({ dkim: [signature()] }),
      from("example.com"),
      "fail",
      false,
      false,
    ],
    [
      "two From headers fail",
      facts({ dkim: [signature()] }),
      { ...ada, from_headers: 2 },
      "fail",
      false,
      false,
    ],
    [
      "no From header fails",
      facts({ dkim: [signature()] }),
      { from: [], from_headers: 0 },
      "fail",
      false,
      false,
    ],
    [
      "a name in Unicode is its name in ASCII",
      facts({ dkim: [signature({ domain: "xn--bcher-kva.example" })], dmarc: null }),
      from("ada@bücher.example"),
      "none",
      true,
      true,
    ],
    [
      "a signature's name that only looks like it is nobody's",
      facts({ dkim: [signature({ domain: "\uff45xample.com" })] }),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "SPF of a name that only looks like it is nobody's",
      facts(spf("\uff45xample.com")),
      ada,
      "fail",
      false,
      false,
    ],
    [
      "an unreadable name in Unicode fails",
      facts({ dkim: [signature()] }),
      from("ada@b ü.example"),
      "fail",
      false,
      false,
    ],
  ] as const)("%s", (_, given, mail, dmarc, aligned_dkim, passes) => {
    const answer = judge(given, { from: [...mail.from], from_headers: mail.from_headers });
    expect({ dmarc: answer.dmarc, aligned_dkim: answer.aligned_dkim, passes: answer.passes }).toEqual({
      dmarc,
      aligned_dkim,
      passes,
    });
    expect(answer.reasons.length).toBeGreaterThan(0);
  });
});

describe("the whole verdict", () => {
  const nothing = {
    ...{ spf: "none", dkim: "none", dmarc: "fail" },
    ...{ aligned_dkim: false, aligned_spf: false, aligned_signatures: [], passes: false, forwarded_by: null },
  };
  const unsigned = "No valid DKIM signature stands for example.com.";
  const unvouched = "SPF does not vouch for example.com.";
  const [good, strange, short] = [
    signature(),
    signature({ domain: "evil.test" }),
    signature({ key_bits: 768 }),
  ];

  test.each<[string, SenderFacts, typeof ada, object]>([
    ["nothing", facts(), ada, { ...nothing, reasons: [unsigned, unvouched] }],
    [
      "both",
      facts({ ...spf("example.com"), dkim: [strange, short, good] }),
      ada,
      {
        ...{ spf: "pass", dkim: "pass", dmarc: "pass", passes: true, forwarded_by: null },
        ...{ aligned_dkim: true, aligned_spf: true, aligned_signatures: [good] },
        reasons: [
          "A DKIM signature by example.com does not count: its key is too short.",
          "A DKIM signature stands for example.com.",
          "SPF allows the sending host for example.com.",
        ],
      },
    ],
    [
      "a subdomain's signature and SPF where no policy is published",
      facts({ ...spf("b.example.com"), dkim: [signature({ domain: "m.example.com" })], dmarc: null }),
      ada,
      {
        ...{ spf: "pass", dkim: "pass", dmarc: "none", passes: true, forwarded_by: null },
        ...{ aligned_dkim: true, aligned_spf: true },
        aligned_signatures: [signature({ domain: "m.example.com" })],
        reasons: [
          "A DKIM signature stands for example.com.",
          "SPF allows the sending host for example.com.",
          "example.com publishes no DMARC policy.",
        ],
      },
    ],
    [
      "two From headers",
      facts({ ...spf("example.com"), dkim: [good] }),
      { ...ada, from_headers: 2 },
      {
        ...{ ...nothing, spf: "pass", dkim: "pass" },
        reasons: ["The mail has 2 From headers instead of one."],
      },
    ],
    [
      "two authors",
      facts({ ...spf("example.com"), dkim: [good] }),
      from("ada@example.com", "eve@evil.test"),
      {
        ...{ ...nothing, spf: "pass", dkim: "pass" },
        reasons: ["The From header does not hold exactly one address."],
      },
    ],
    [
      "a policy that could not be looked up",
      facts({ ...spf("example.com"), dkim: [good], dmarc_temperror: true }),
      ada,
      {
        ...{ ...nothing, spf: "pass", dkim: "pass", dmarc: "temperror" },
        reasons: ["The DMARC policy of example.com could not be looked up."],
      },
    ],
  ])("of %s", (_, given, mail, verdict) => {
    expect(judge(given, mail)).toEqual(verdict);
  });
});

describe("dkim", () => {
  test.each([
    ["no signature is none", [], "none"],
    ["the best result is shown", [signature({ result: "fail" }), signature({ domain: "list.test" })], "pass"],
    ["a signature that does not count is policy", [signature({ signs_from: false })], "policy"],
    [
      "an unread key is temperror before fail",
      [signature({ result: "fail" }), signature({ result: "temperror" })],
      "temperror",
    ],
  ] as const)("%s", (_, dkim, shown) => {
    expect(judge(facts({ dkim: [...dkim] })).dkim).toBe(shown);
  });

  test("the result that is shown for several signatures says the most", () => {
    const order = [
      ...(["pass", "temperror", "policy", "fail", "permerror", "neutral", "softfail", "none"] as const),
    ];
    for (const [place, shown] of order.entries()) {
      const dkim = order.slice(place).toReversed();
      expect(judge(facts({ dkim: dkim.map((result) => signature({ result })) })).dkim).toBe(shown);
    }
  });
});

test("the organisational domain follows the public suffix list with its private part", () => {
  expect(
    ["a.b.example.co.uk", "x.github.io", "co.uk", "localhost", ".example.com"].map(organisationalDomain),
  ).toEqual(["example.co.uk", "x.github.io", "co.uk", "localhost", ".example.com"]);
});

describe("forwarded mail", () => {
  const sealer = "lists.example.net";
  const chain = (change: Partial<ArcChain> = {}): ArcChain => ({
    result: "pass",
    sealer,
    signature: signature({ domain: sealer }),
    stated: { dmarc: [{ result: "pass", from: "example.com" }], dkim: [] },
    ...change,
  });
  const dmarc = (result: string, domain = "example.com") => ({ dmarc: [{ result, from: domain }], dkim: [] });
  const dkim = (result: string, domain = "example.com") => ({ dmarc: [], dkim: [{ result, domain }] });
  const unpublished = { dmarc: null };

  test.each([
    ["a trusted sealer that found DMARC pass is believed", chain(), {}, [sealer], true],
    ["also with several instances, by the newest alone", chain(), {}, ["google.example", sealer], true],
    [
      "names are compared without case and last dot",
      chain({ sealer: "LISTS.example.net." }),
      {},
      ["Lists.Example.NET"],
      true,
    ],
    ["nobody is trusted unless named", chain(), {}, [], false],
    ["a subdomain of a trusted name is not it", chain({ sealer: `a.${sealer}` }), {}, [sealer], false],
    ["the domain above a trusted name is not it", chain(), {}, ["a.lists.example.net"], false],
    ["a name that ends alike is not it", chain({ sealer: `my${sealer}` }), {}, [sealer], false],
    [
      "a name that only looks alike is not it",
      chain({ sealer: "\uff4cists.example.net" }),
      {},
      [sealer],
      false,
    ],
    ["a sealer without a name is nobody", chain({ sealer: "" }), {}, ["", sealer], false],
    ["a broken chain", chain({ result: "fail" }), {}, [sealer], false],
    ["a chain whose key could not be looked up", chain({ result: "temperror" }), {}, [sealer], false],
    ["a mail that its sealer did not sign", chain({ signature: null }), {}, [sealer], false],
    ["a mail that another than the sealer signed", chain({ signature: signature() }), {}, [sealer], false],
    [
      "a sealer's signature that leaves From open",
      chain({ signature: signature({ domain: sealer, signs_from: false }) }),
      {},
      [sealer],
      false,
    ],
    [
      "a sealer's signature of a part of the body",
      chain({ signature: signature({ domain: sealer, body_length_limited: true }) }),
      {},
      [sealer],
      false,
    ],
    [
      "a header added beside one that the sealer signed",
      chain({ signature: signature({ domain: sealer, repeats_signed: true }) }),
      {},
      [sealer],
      false,
    ],
    ["a trusted sealer that found DMARC fail", chain({ stated: dmarc("fail") }), {}, [sealer], false],
    ["one that found no policy where we find one", chain({ stated: dmarc("none") }), {}, [sealer], false],
    [
      "one that found DMARC pass for somebody else",
      chain({ stated: dmarc("pass", "evil.test") }),
      {},
      [sealer],
      false,
    ],
    [
      "one that found it for the organisation's own name",
      chain({ stated: dmarc("pass", "mail.example.com") }),
      {},
      [sealer],
      false,
    ],
    ["one that does not say for whom", chain({ stated: dmarc("pass", "") }), {}, [sealer], false],
    ["one that says nothing", chain({ stated: { dmarc: [], dkim: [] } }), {}, [sealer], false],
    [
      "one that says two things",
      chain({ stated: { dmarc: [...dmarc("pass").dmarc, ...dmarc("fail").dmarc], dkim: [] } }),
      {},
      [sealer],
      false,
    ],
    ["DKIM alone, where a policy is published", chain({ stated: dkim("pass") }), {}, [sealer], false],
    ["DKIM, where none is", chain({ stated: dkim("pass") }), unpublished, [sealer], true],
    [
      "DKIM of a subdomain, where none is",
      chain({ stated: dkim("pass", "mail.example.com") }),
      unpublished,
      [sealer],
      true,
    ],
    [
      "DKIM and no DMARC policy, where none is",
      chain({ stated: { ...dkim("pass"), dmarc: dmarc("none").dmarc } }),
      unpublished,
      [sealer],
      true,
    ],
    [
      "DKIM pass and DMARC fail, where we find no policy",
      chain({ stated: { ...dkim("pass"), dmarc: dmarc("fail").dmarc } }),
      unpublished,
      [sealer],
      false,
    ],
    ["DKIM that failed there", chain({ stated: dkim("fail") }), unpublished, [sealer], false],
    ["DKIM of a stranger there", chain({ stated: dkim("pass", "evil.test") }), unpublished, [sealer], false],
    [
      "a policy that could not be looked up",
      chain(),
      { dmarc: null, dmarc_temperror: true },
      [sealer],
      false,
    ],
  ] as const)("%s", (_, arc, change, trusted, believed) => {
    const answer = authenticateSender(facts({ arc, ...change }), { ...ada, from: [...ada.from] }, trusted);
    expect(answer).toMatchObject({ arc: arc.result, passes: false, forwarded_by: believed ? sealer : null });
  });

  test.each([
    ["two From headers", { ...ada, from_headers: 2 }],
    ["two authors", from("ada@example.com", "eve@evil.test")],
  ])("%s are never trusted", (_, mail) => {
    expect(authenticateSender(facts({ arc: chain() }), mail, [sealer]).forwarded_by).toBeNull();
  });

  test("mail that passes on its own needs no sealer", () => {
    const answer = authenticateSender(facts({ arc: chain(), dkim: [signature()] }), ada, [sealer]);
    expect(answer).toMatchObject({ arc: "pass", passes: true, forwarded_by: null });
  });

  test("without ARC headers there is no ARC result", () => {
    expect(authenticateSender(facts(), ada, [sealer])).not.toHaveProperty("arc");
  });

  test("the reasons name the sealer that counted, or why it did not", () => {
    const reasons = (arc: ArcChain) => authenticateSender(facts({ arc }), ada, [sealer]).reasons.at(-1);
    expect(reasons(chain())).toBe(
      "lists.example.net, whose ARC seal is trusted, found the author of example.com authenticated.",
    );
    expect(reasons(chain({ sealer: "evil.test" }))).toBe(
      "The mail was passed on under an ARC seal that does not count: evil.test is no trusted sealer.",
    );
  });
});

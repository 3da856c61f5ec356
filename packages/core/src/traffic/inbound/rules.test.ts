import { describe, expect, test } from "vitest";
import { withoutTag } from "../../model/address.ts";
import {
  authenticationRank,
  decidePhoneTask,
  decideTask,
  isHuman,
  type PhoneTaskFacts,
  shownHeaders,
  sightingOf,
  speaksForOwner,
  type TaskFacts,
  wasSeen,
} from "./rules.ts";

const headers = (...lines: [string, string][]) => ({
  headers: lines.map(([name, value]) => ({ name, value })),
});
const unmarked = { strong: null, weak: null };

const owner: TaskFacts = {
  origin: "smtp",
  imported: false,
  held: false,
  marks: unmarked,
  proof: "person",
  owner: true,
  allowlisted: false,
  authenticated: true,
  forwarded_by: null,
  require_sender_auth: true,
  doubt: null,
  untrusted_reason: null,
  replayed: false,
};
const nobody = { proof: "none", doubt: "its sender was not authenticated" } as const;
const forwarded = { ...nobody, authenticated: false, forwarded_by: "lists.example.net" };
const injected = { proof: "none", origin: "injected", doubt: "it was injected" } as const;
const inside = { proof: "inbox", origin: "internal" } as const;
const weak = { strong: null, weak: "it comes from a mailing list" };
const strong = { strong: "its return path is empty", weak: null };

describe("the task decision", () => {
  const cases: [string, Partial<TaskFacts>, boolean, boolean, string][] = [
    ["an owner, authenticated", {}, true, true, "owner: the sender was authenticated"],
    ["old mail of an owner", { imported: true }, false, false, "imported: it is old mail of another mailbox"],
    ["an owner, not authenticated", { authenticated: false }, false, false, "sender_not_authenticated"],
    [
      "an owner, not authenticated, in an inbox that doesn't require it",
      { authenticated: false, require_sender_auth: false },
      true,
      false,
      "owner: the inbox does not require",
    ],
    [
      "an allowlisted sender, authenticated",
      { owner: false, allowlisted: true },
      true,
      true,
      "allowlist: the sender was authenticated",
    ],
    [
      "an allowlisted sender, not authenticated",
      { owner: false, allowlisted: true, authenticated: false },
      false,
      false,
      "sender_not_authenticated",
    ],
    [
      "an owner, authenticated by a trusted sealer alone",
      forwarded,
      true,
      false,
      "not trusted, because only a forwarder",
    ],
    [
      "an owner, authenticated by a signature that covers too little",
      { proof: "none", doubt: "its signature does not count: it leaves Date unsigned" },
      true,
      false,
      "leaves Date unsigned",
    ],
    ["an order whose signature this inbox has seen", { replayed: true }, false, false, "replayed"],
    [
      "an injected mail, authenticated by a trusted sealer",
      { ...forwarded, ...injected },
      true,
      false,
      "owner",
    ],
    [
      "a stranger, authenticated by a trusted sealer",
      { ...forwarded, owner: false },
      false,
      false,
      "sender_unknown",
    ],
    [
      "list mail, authenticated by a trusted sealer",
      { ...forwarded, marks: weak },
      false,
      false,
      "not on the allowlist",
    ],
    ["a stranger, authenticated", { owner: false }, false, false, "sender_unknown"],
    [
      "a stranger, in an inbox that requires no authentication",
      { owner: false, authenticated: false, require_sender_auth: false },
      false,
      false,
      "sender_unknown",
    ],
    ["held mail of an owner", { held: true }, false, false, "held"],
    ["an owner's automatic reply", { marks: strong }, false, false, "automatic"],
    [
      "an allowlisted sender's automatic reply",
      { marks: strong, allowlisted: true },
      false,
      false,
      "automatic",
    ],
    ["an owner's list mail", { marks: weak }, false, false, "not on the allowlist"],
    [
      "an allowlisted sender's list mail",
      { owner: false, allowlisted: true, marks: weak },
      true,
      true,
      "allowlist",
    ],
    ["an injected mail of an owner", injected, true, false, "because it was injected"],
    ["mail that shows nobody, and doesn't say why", { proof: "none" }, true, false, "nothing shows"],
    [
      "mail of an allowlisted inbox",
      { ...inside, owner: false, allowlisted: true },
      true,
      true,
      "allowlist: the sender was authenticated",
    ],
  ];
  test.each(cases)("%s", (_what, facts, made, trusted, reason) => {
    const decision = decideTask({ ...owner, ...facts });
    expect(decision).toMatchObject({ made, trusted });
    expect(decision.reason).toContain(reason);
  });
});

describe("a signature that was seen before", () => {
  const place = (id: string, named: boolean) => ({ id, named });
  const seen = (id: string, named = true) => ({ place: id, named });
  test.each([
    ["nowhere", [], place("a", false), "first", false],
    ["here", [seen("a")], place("a", true), "here", true],
    ["here and elsewhere", [seen("b"), seen("a")], place("a", true), "here", true],
    ["elsewhere, and the author named both places", [seen("b")], place("a", true), "first", false],
    ["elsewhere, and the author did not name this place", [seen("b")], place("a", false), "elsewhere", true],
    ["elsewhere, where the author did not send it", [seen("b", false)], place("a", true), "first", true],
    [
      "at one of two places that the author did not name",
      [seen("b"), seen("c", false)],
      place("a", true),
      "first",
      true,
    ],
  ])("%s", (_what, sightings, at, sighting, repeated) => {
    expect(sightingOf(sightings, at)).toBe(sighting);
    expect(wasSeen(sightings, at)).toBe(repeated);
  });
});

test("copies rank by how well they are authenticated", () => {
  const order = { authenticated: true, forwarded_by: null, doubt: null };
  expect(
    [
      { ...order, authenticated: false },
      { ...order, authenticated: false, forwarded_by: "lists.example.net" },
      { ...order, doubt: "its signature leaves Date unsigned" },
      order,
    ].map(authenticationRank),
  ).toEqual([0, 1, 2, 3]);
});

describe("mail that counts as the owner's", () => {
  test.each([
    ["proven", {}, true],
    ["not authenticated", nobody, false],
    ["authenticated by a sealer's word alone", forwarded, false],
    ["of a stranger", { owner: false }, false],
    ["injected", injected, false],
    ["from an inbox of this service", inside, false],
    ["held", { held: true }, false],
    ["an automatic reply", { marks: strong }, false],
    ["from a list", { marks: weak }, false],
  ])("mail that is %s", (_what, facts, expected) => {
    expect(speaksForOwner({ ...owner, ...facts })).toBe(expected);
  });
});

describe("a human in the loop guard", () => {
  test.each([
    ["proven and unmarked", {}, true],
    ["from the internal path", { origin: "internal_path" as const }, true],
    ["from an inbox of this service", inside, false],
    ["injected", injected, false],
    ["not authenticated", nobody, false],
    ["authenticated by a sealer's word alone", forwarded, false],
    ["weakly marked", { marks: weak }, false],
    ["strongly marked", { marks: strong }, false],
  ])("mail that is %s", (_what, facts, expected) => {
    expect(isHuman({ ...owner, ...facts })).toBe(expected);
  });
});

describe("addresses and headers", () => {
  test.each([
    ["ada+x@example.com", "ada@example.com"],
    ["ada+x+y@example.com", "ada@example.com"],
    ["ada@example.com", "ada@example.com"],
    ["+x@example.com", "+x@example.com"],
    ["ada@exa+mple.com", "ada@exa+mple.com"],
  ])("%s is delivered to %s", (tagged, address) => {
    expect(withoutTag(tagged)).toBe(address);
  });

  test("X-* and a few others are shown, the first of each name, up to a limit", () => {
    const mail = headers(
      ["x-a", "1"],
      ["x-a", "2"],
      ["received", "from"],
      ["list-id", "<l>"],
      ["x-long", "y".repeat(2000)],
    );
    expect(shownHeaders(mail)).toEqual({ "x-a": "1", "list-id": "<l>", "x-long": "y".repeat(1000) });
    const many = headers(...Array.from({ length: 80 }, (_, n): [string, string] => [`x-${n}`, "v"]));
    expect(Object.keys(shownHeaders(many))).toHaveLength(50);
  });
});

describe("whether a text or voicemail becomes a task", () => {
  const ordinary: PhoneTaskFacts = {
    held: false,
    keyword: false,
    allowlisted: true,
    sms_tasks: true,
    unheard: false,
  };
  test.for<[change: Partial<PhoneTaskFacts>, reason: string]>([
    [{}, "allowlist"],
    [{ held: true }, "held"],
    [{ keyword: true }, "keyword"],
    [{ sms_tasks: false }, "sms_tasks"],
    [{ allowlisted: false }, "sender_unknown"],
    [{ sms_tasks: false, allowlisted: false }, "sms_tasks"],
    [{ unheard: true }, "unheard"],
    [{ held: true, keyword: true, sms_tasks: false }, "held"],
  ])("%j: %s", ([change, reason]) => {
    const decision = decidePhoneTask({ ...ordinary, ...change });
    expect(decision).toMatchObject({ made: reason === "allowlist", trusted: false });
    expect(decision.reason).toMatch(new RegExp(`^${reason}:`));
  });
});

import { describe, expect, test } from "vitest";
import { type SightedMail, sightingsIn, withoutSighting, withProof, withSighting } from "./rules.ts";

const INBOX = { id: "inb_1", account_id: "acct_1" };
const AT = "2026-11-26T08:00:00.000Z";
const mail = (more: Partial<SightedMail> = {}): SightedMail => ({
  ...{ id: "msg_1", channel: "email", direction: "inbound", created_at: AT, labels: ["received"] },
  ...{ from: "Bo@Friend.example", from_name: "Bo", authenticated: true },
  ...{ to: ["ada@x.example"], cc: [], bcc: [], names: {}, owner_copies: [] },
  ...more,
});
const out = (more: Partial<SightedMail> = {}) =>
  mail({ direction: "outbound", from: "ada@x.example", from_name: null, authenticated: false, ...more });
const seen = (more: Partial<SightedMail> = {}) => sightingsIn(mail(more));
const addresses = (sightings: ReturnType<typeof sightingsIn>) => sightings.map(({ address }) => address);

describe("a mail", () => {
  test("that came is of its author, by their name where nobody else can have written it", () => {
    expect(seen()).toEqual([
      {
        ...{ address: "bo@friend.example", direction: "inbound", name: "Bo" },
        ...{ authenticated: true, at: AT, message_id: "msg_1" },
      },
    ]);
    expect(seen({ authenticated: false })).toMatchObject([{ name: null, authenticated: false }]);
  });

  test("that went out is of each that it went to once, but for copies to people in charge", () => {
    const sent = out({
      to: ["bo@friend.example", "Bo@friend.example"],
      cc: ["cy@friend.example"],
      bcc: ["dee@friend.example", "boss@owner.example"],
      names: { "Bo@friend.example": "Bo B." },
      owner_copies: ["boss@owner.example"],
    });
    expect(sightingsIn(sent).map(({ address, name }) => [address, name])).toEqual([
      ["bo@friend.example", "Bo B."],
      ["cy@friend.example", null],
      ["dee@friend.example", null],
    ]);
  });

  test.each([
    ["a text message", mail({ channel: "sms", from: "+14155550199" })],
    ["a letter of the service", out({ labels: ["sent", "owner"] })],
    ["mail without an author", mail({ from: "" })],
    ["mail whose author is no address", mail({ from: "bo" })],
    ["an address with white space", mail({ from: '"b o"@friend.example' })],
    ["an address that is too long", mail({ from: `${"b".repeat(310)}@friend.example` })],
  ])("%s is nobody's", (_what, message) => {
    expect(addresses(sightingsIn(message))).toEqual([]);
  });
});

describe("the record of an address", () => {
  const [came] = seen();
  const [went] = sightingsIn(
    out({ id: "msg_2", created_at: "2026-11-27T08:00:00.000Z", to: ["bo@friend.example"] }),
  );
  if (came === undefined || went === undefined) throw new Error("the mails have no sightings");
  const first = withSighting(undefined, came, INBOX);
  const both = withSighting(first, went, INBOX);

  test("grows with each mail", () => {
    expect(first).toEqual({
      ...{ inbox_id: "inb_1", place: "bo@friend.example inb_1", account_id: "acct_1" },
      ...{
        address: "bo@friend.example",
        names: ["Bo"],
        first_seen_at: AT,
        last_in_at: AT,
        last_out_at: null,
      },
      ...{ in_count: 1, out_count: 0, auth_pass: 1, auth_fail: 0, last_message_id: "msg_1" },
    });
    expect(both).toMatchObject({
      ...{ first_seen_at: AT, last_in_at: AT, last_out_at: went.at },
      ...{ in_count: 1, out_count: 1, auth_pass: 1, auth_fail: 0, last_message_id: "msg_2" },
    });
  });

  test("has the five newest names, each once", () => {
    const names = ["a", "b", "c", " ", "d", "e", "b", "f"];
    const record = names.reduce((before, name) => withSighting(before, { ...came, name }, INBOX), first);
    expect(record.names).toEqual(["f", "b", "e", "d", "c"]);
  });

  test("shrinks with each mail that is deleted for good, to nothing", () => {
    const without = withoutSighting(both, came);
    expect(without).toMatchObject({ in_count: 0, out_count: 1, auth_pass: 0, auth_fail: 0 });
    expect(without && withoutSighting(without, went)).toBeUndefined();
    expect(withoutSighting(first, came)).toBeUndefined();
  });

  test("counts a mail as authenticated that a better copy proved, and its name where it is the newest", () => {
    const unproven = { ...came, authenticated: false, name: null };
    const twice = withSighting(
      withSighting(undefined, { ...unproven, message_id: "msg_0" }, INBOX),
      unproven,
      INBOX,
    );
    const proven = withProof(twice, came);
    expect(proven).toEqual({ ...twice, names: ["Bo"], auth_pass: 1, auth_fail: 1 });
    const both_proven = withProof(proven, { ...came, message_id: "msg_0", name: "Bobby" });
    expect(both_proven).toEqual({ ...twice, names: ["Bo"], auth_pass: 2, auth_fail: 0 });
  });

  test("counts no less than nothing", () => {
    const unproven = { ...came, authenticated: false };
    const twice = withSighting(withSighting(undefined, unproven, INBOX), unproven, INBOX);
    expect(withoutSighting(twice, came)).toMatchObject({ in_count: 1, auth_pass: 0, auth_fail: 2 });
    expect(withoutSighting({ ...twice, auth_fail: 0 }, unproven)).toMatchObject({
      in_count: 1,
      auth_fail: 0,
    });
  });
});

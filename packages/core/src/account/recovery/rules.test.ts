import { describe, expect, test } from "vitest";
import { chooseAuthority, isOpen } from "./rules.ts";

const NOW = new Date("2026-01-01T12:00:00.000Z");

describe("a recovery's link", () => {
  test.each([
    ["2026-01-01T12:00:00.001Z", [], true],
    ["2026-01-01T12:00:00.000Z", [], false],
    ["2026-01-01T12:30:00.000Z", [null], true],
    ["2026-01-01T12:30:00.000Z", ["hash"], false],
    ["2026-01-01T12:30:00.000Z", [null, "hash"], false],
  ])("that expires at %s, with newer letters %j, works: %s", (expires_at, newer, works) => {
    const others = newer.map((link_hash) => ({ link_hash }));
    expect(isOpen({ expires_at }, others, NOW.toISOString())).toBe(works);
  });
});

describe("the authority to recover by", () => {
  const given = {
    account_id: "acct_1",
    email: "grace@example.com",
    since: "",
    given_by: "operator",
    passkeys_off_at: null,
  };
  const whole = { ...given, id: "aut_1", inbox_id: null };
  const one = { ...given, id: "aut_2", inbox_id: "inb_1" };
  const codeOf = (all: (typeof whole | typeof one)[], id?: string) => {
    try {
      return chooseAuthority(all, id).id;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test.each([
    [[whole], undefined, "aut_1"],
    [[whole, one], "aut_2", "aut_2"],
    [[whole, one], undefined, "recovery_choice_required"],
    [[whole], "aut_2", "authority_not_found"],
    [[], undefined, "recovery_invalid"],
    [[], "aut_1", "recovery_invalid"],
  ])("of %j, named %s, is %s", (all, id, expected) => {
    expect(codeOf(all, id)).toBe(expected);
  });
});

import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../../test/support/case-count.ts";
import {
  ATTACKS,
  type Attack,
  CALLERS,
  type CallerKind,
  MODES,
  outcomeOf,
  type Premises,
  placeFor,
  premises,
} from "../../../test/attacks.fixture.ts";

/** What a caller is refused because it may do less than others. */
const MAY_NOT = [
  "permission_denied",
  "permission_escalation",
  "inbox_not_found",
  "not_found",
  "forbidden_caller",
];

test("there are at least 80 attacks, each of them different", () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(80);
  expect(new Set(ATTACKS.map(({ code, name }) => `${code}: ${name}`)).size).toBe(ATTACKS.length);
});

async function attack(at: Premises, { wrote, act }: Attack) {
  return outcomeOf(await placeFor(at, wrote), act);
}

/** The others play the same attacks with `--only storages`. */
const KINDS = casesOf<readonly CallerKind[]>(["key"], CALLERS);

describe.each(KINDS)("an agent that is fooled, with a %s,", (kind) => {
  describe.each(MODES)("in %s mode", (mode) => {
    let at: Promise<Premises> | undefined;

    test.each(ATTACKS.map((each) => [`${each.code}: ${each.name}`, each] as const))(
      "%s",
      async (_name, each) => {
        at ??= premises(mode, kind);
        const outcome = await attack(await at, each);
        const limited =
          outcome.said === "refused" &&
          kind !== "key" &&
          outcome.codes.some((code) => MAY_NOT.includes(code));
        if (each.kind === "never") {
          expect(outcome.reached).toBe(false);
          if (!limited)
            expect(outcome).toMatchObject({ said: "refused", codes: expect.arrayContaining([each.code]) });
        } else if (mode !== "direct") {
          expect(outcome.reached).toBe(false);
          if (!limited) expect(outcome).not.toMatchObject({ said: "done" });
          if (!limited && each.kind === "mail")
            expect(outcome).toMatchObject({ said: "waits", codes: expect.arrayContaining([each.code]) });
        } else if (each.kind === "mail" && !limited) {
          expect(outcome.said).toBe("done");
          if (!each.name.includes("schedule")) expect(outcome.codes).toContain(each.code);
        } else if (each.code === "approval_required" && !limited) expect(outcome.said).toBe("done");
      },
    );
  });
});

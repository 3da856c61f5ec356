import { describe, expect, test } from "vitest";
import { matchesSenderRequest, type SenderRequest } from "./code-rules.ts";

const mail = {
  from: "no-reply@mail.shop.example",
  from_name: "The Shop",
  subject: "Your Sign-in Code",
  authenticated: true,
};

describe("the filters of a wait for a code", () => {
  test.each<[SenderRequest, boolean]>([
    [{}, true],
    [{ from_contains: "SHOP" }, true],
    [{ from_contains: "no-reply@" }, true],
    [{ from_contains: "bank" }, false],
    [{ subject_contains: "sign-IN" }, true],
    [{ subject_contains: "invoice" }, false],
    [{ from_domain: "shop.example" }, true],
    [{ from_domain: "@Mail.Shop.Example." }, true],
    [{ from_domain: "op.example" }, false],
    [{ from_domain: "other.example" }, false],
    [{ from_domain: "shop.example", subject_contains: "invoice" }, false],
  ])("fits %j: %s", (wish, fits) => {
    expect(matchesSenderRequest(mail, wish)).toBe(fits);
  });

  test("from_domain matches no unauthenticated sender", () => {
    expect(matchesSenderRequest({ ...mail, authenticated: false }, { from_domain: "shop.example" })).toBe(
      false,
    );
    expect(
      matchesSenderRequest(
        { ...mail, from_name: null, authenticated: false },
        { from_contains: "mail.shop" },
      ),
    ).toBe(true);
  });
});

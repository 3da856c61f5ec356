import { expect, test } from "vitest";
import { headlineOf, subjectOf } from "../notifications/headline.ts";
import { planFor } from "./rules.ts";

test.each([
  ["The title", "Some text.", "The title"],
  [null, "Version 1.2 is out. More follows.", "Version 1.2 is out."],
  [null, "Really?! Yes.", "Really?!"],
  [null, "終わりました。次です。", "終わりました。"],
  [null, "\nfirst line\nsecond", "first line"],
  [null, "no end", "no end"],
])("title %j and text %j make the headline %j", (title, text, headline) => {
  expect(headlineOf({ title, text })).toBe(headline);
});

test("a headline from a long sentence is shortened, never within a character", () => {
  const cut = headlineOf({ title: null, text: "🙂".repeat(500) });
  expect(cut.length).toBeLessThanOrEqual(120);
  expect(cut).toMatch(/^(🙂)+…$/u);
});

test("a subject names its kind, and a follow-up starts with Re", () => {
  const update = { kind: "needs_input", title: "Which venue", text: "x" } as const;
  expect(subjectOf(update, false)).toBe("[Needs input] Which venue");
  expect(subjectOf(update, true)).toBe("Re: [Needs input] Which venue");
  expect(subjectOf({ ...update, kind: "progress", title: null, text: "Half done. Rest later." }, true)).toBe(
    "Re: [Progress] Half done.",
  );
});

test("an owner whom mail doesn't reach gets questions at once, and all else in a digest", () => {
  const lost = { unsubscribed_at: null, unreachable_since: "2026-01-01T00:00:00.000Z" };
  expect(planFor({ ...lost, digest: "immediate" }, true)).toBe("send");
  expect(planFor({ ...lost, digest: "immediate" }, false)).toEqual({
    mode: "digest",
    status: "queued",
    reason: "owner_unreachable",
  });
  expect(planFor({ ...lost, digest: "daily" }, true)).toMatchObject({ mode: "digest", status: "queued" });
});

test("an owner's settings decide how an update is delivered", () => {
  const at = "2026-01-01T00:00:00.000Z";
  expect(planFor({ digest: "immediate", unsubscribed_at: null, unreachable_since: null }, false)).toBe(
    "send",
  );
  expect(planFor({ digest: "daily", unsubscribed_at: null, unreachable_since: null }, false)).toEqual({
    mode: "digest",
    status: "queued",
    reason: null,
  });
  expect(planFor({ digest: "immediate", unsubscribed_at: at, unreachable_since: null }, false)).toEqual({
    mode: "immediate",
    status: "skipped",
    reason: "unsubscribed",
  });
  expect(planFor({ digest: "daily", unsubscribed_at: at, unreachable_since: null }, false)).toEqual({
    mode: "digest",
    status: "skipped",
    reason: "unsubscribed",
  });
});

import { expect, test } from "vitest";
import { finding } from "./finding.ts";
import { firstContactSignals } from "./first-contact.ts";
import { type ScreenedSender, UNKNOWN_SENDER } from "./sender-signals.ts";

const ASKED = [finding("secret_question")];
const AUTHENTICATED = { authenticated: true, spf: "pass", dkim: "pass", dmarc: "pass" } as const;

test.each<[why: string, sender: Partial<ScreenedSender>, first: boolean]>([
  ["a stranger", {}, true],
  ["an authenticated stranger", AUTHENTICATED, true],
  ["a known address", { known: true }, true],
  ["a known address that is proven", { ...AUTHENTICATED, known: true }, false],
  ["somebody whom an owner trusts", { ...AUTHENTICATED, trusted: true }, false],
  ["a name of a known organisation", { organisation_known: true }, true],
  ["somebody of a known organisation", { ...AUTHENTICATED, organisation_known: true }, false],
])("a short request from %s: is it a first contact?", (_, sender, first) => {
  const mail = { text: "What is the password?", html: null };
  const types = firstContactSignals(mail, { ...UNKNOWN_SENDER, ...sender }, ASKED).map(({ type }) => type);
  expect(types).toEqual(first ? ["first_contact"] : []);
});

test.each<[why: string, text: string, html: string | null, found: readonly ReturnType<typeof finding>[]]>([
  ["long mail", "word ".repeat(200), null, ASKED],
  ["a long page", "Hello", "<p>word</p>".repeat(300), ASKED],
  ["mail that makes no such request", "What is the password?", null, [finding("urgency")]],
])("%s is no first contact that matters", (_, text, html, found) => {
  expect(firstContactSignals({ text, html }, UNKNOWN_SENDER, found)).toEqual([]);
});

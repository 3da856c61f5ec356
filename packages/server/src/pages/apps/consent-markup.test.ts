import { PERMISSION_NAMES } from "@letterslot/core";
import { expect, test } from "vitest";
import { appName, consentPage, policyTowards, receiverInWords } from "./consent-markup.ts";
import { PERMISSION_WORDS } from "./permission-words.ts";

const CODE_PAGE = "https://mail.example.com/oauth/code";

test.each([
  ["https://app.example.org/callback?x=1", "app.example.org"],
  ["https://app.example.org:8443/callback", "app.example.org:8443"],
  ["https://xn--pple-43d.com/callback", "xn--pple-43d.com"],
  ["https://аpple.com/callback", "xn--pple-43d.com"],
  ["https://mail.example.com@evil.example/callback", "evil.example"],
  ["https://127.0.0.1.evil.example/", "127.0.0.1.evil.example"],
  ["http://127.0.0.1:33418/", "a program on this computer"],
  ["http://[::1]:33418/", "a program on this computer"],
  ["http://localhost:33418/callback", "a program on this computer"],
  ["cursor://anysphere.cursor-mcp/oauth/callback", "the app on this device that opens cursor links"],
  ["com.example.notes:/callback", "the app on this device that opens com.example.notes links"],
  [CODE_PAGE, "a program into which you type a code that we show you"],
])("an answer to %s goes to %s", (redirect_uri, words) => {
  expect(receiverInWords(redirect_uri, CODE_PAGE)).toBe(words);
});

test.each([
  ["https://app.example.org:8443/callback;script-src", "form-action 'self' https://app.example.org:8443;"],
  ["http://127.0.0.1:33418/", "form-action 'self' http://127.0.0.1:33418;"],
  ["http://[::1]:33418/", "form-action 'self' http:;"],
  ["cursor://x;script-src", "form-action 'self' cursor:;"],
])("a form may lead to %s by the policy %s", (redirect_uri, part) => {
  const policy = policyTowards(redirect_uri);
  expect(policy).toContain(part);
  expect(policy).toMatch(/^default-src 'none'; .*; frame-ancestors 'none'$/);
  expect(policy).not.toContain("script-src");
});

test.each([
  ["Notes", "“Notes”"],
  ["", "“an app without a name”"],
  ["   ", "“an app without a name”"],
  ["x".repeat(200), `“${"x".repeat(80)}”`],
])("an app that calls itself %j is named %s", (name, shown) => {
  expect(appName(name)).toBe(shown);
});

test("a name with hidden and reversed characters shows them", () => {
  expect(appName("a\u202eb\u200bc")).not.toMatch(/[\u202e\u200b]/);
});

test("every permission is said in words of its own", () => {
  const words = PERMISSION_NAMES.map((name) => PERMISSION_WORDS[name]);
  expect(new Set(words).size).toBe(PERMISSION_NAMES.length);
});

test("what the app and its request are called never becomes markup", async () => {
  const inbox = { id: "inb_1", email: "ada@example.com", display_name: "<b>Ada</b>" };
  const place = { account_id: "acct_1", account_owner: true, permissions: null, inboxes: [inbox] };
  const app = {
    client_name: "<script>alert(1)</script>",
    redirect_uri: 'https://app.example.org/"><b>',
    permissions: ["inbox_read"] as const,
  };
  const person = { email: "grace@example.com", session_id: "ses_1" };
  const shown = await consentPage(
    { app, code_page: CODE_PAGE, person },
    { accounts: [place], to_take_charge_of: [] },
  );
  expect(shown.toString()).not.toMatch(/<script|<b>/);
});

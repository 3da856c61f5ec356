import { describe, expect, test } from "vitest";
import type { CallerType } from "../../kernel/access/caller.ts";
import { settleOutbound } from "../../model/outbound.ts";
import { checkMayFetch, pictureType, viewHeaders } from "./rules.ts";

const inboxIn = (send_mode: "direct" | "guarded") => ({
  ...settleOutbound(
    { send_mode, outbound: { untrusted: null, content: null, new_recipients: null } },
    "direct",
  ),
  release_by: "key" as const,
});
const CHECKED = { spf: "pass", dkim: "pass", dmarc: "pass" } as const;

describe("remote images", () => {
  test.each<[string, CallerType, Record<string, unknown>, "direct" | "guarded", boolean]>([
    ["a person, mail from outside", "owner", {}, "direct", true],
    ["a person, mail from outside, guarded", "owner", {}, "guarded", true],
    ["a person, mail whose sender wasn't looked at, guarded", "owner", { auth: null }, "guarded", true],
    ["a person, sent mail", "owner", { direction: "outbound" }, "direct", true],
    ["a person, sent mail, guarded", "owner", { direction: "outbound" }, "guarded", false],
    ["a person, injected mail", "owner", { labels: ["injected"] }, "direct", true],
    ["a person, injected mail, guarded", "owner", { labels: ["injected"] }, "guarded", false],
    ["a person, imported mail, guarded", "owner", { auth: { ...CHECKED, imported: true } }, "guarded", false],
    ["a person, mail of the account's own", "owner", { own: true }, "direct", true],
    ["a person, mail of the account's own, guarded", "owner", { own: true }, "guarded", false],
    ["a key", "key", {}, "direct", false],
    ["an app", "app", {}, "direct", false],
    ["the public", "public", {}, "direct", false],
  ])("%s", (_what, caller, message, mode, may) => {
    const mail = { direction: "inbound" as const, labels: [], auth: CHECKED, own: false, ...message };
    const check = () => checkMayFetch(caller, mail, [inboxIn(mode)]);
    if (may) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "remote_images_refused" }));
  });

  test.each([
    ["direct", inboxIn("direct"), true],
    ["guarded", inboxIn("guarded"), false],
    ["gone", undefined, false],
  ])("a person, mail of the account's own whose sender is %s", (_what, sender, may) => {
    const mail = { direction: "inbound" as const, labels: [], auth: CHECKED, own: true };
    const check = () => checkMayFetch("owner", mail, [inboxIn("direct"), sender]);
    if (may) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: "remote_images_refused" }));
  });
});

test.each([
  [true, "sandbox allow-popups allow-popups-to-escape-sandbox; "],
  [false, "sandbox; "],
])("mail whose links open (%s) is shown in a %s", (links_open, policy) => {
  expect(viewHeaders({ links_open })["Content-Security-Policy"]).toBe(
    `${policy}default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`,
  );
});

test.each<[string, string | undefined]>([
  ["\x89PNG\r\n\x1a\n....", "image/png"],
  ["\xff\xd8\xff\xe0 and more", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a;", "image/gif"],
  ["RIFF\x00\n\x00\x00WEBPVP8X", "image/webp"],
  ["RIFF\x00\x00\x00\x00WAVE", undefined],
  ["\x89PNG", undefined],
  [" GIF89a", undefined],
  ["<svg xmlns='http://www.w3.org/2000/svg'>", undefined],
  ["<!doctype html>GIF89a", undefined],
  ["BM", undefined],
  ["", undefined],
])("bytes that begin with %j are %s", (bytes, type) => {
  expect(pictureType(Buffer.from(bytes, "latin1"))).toBe(type);
});

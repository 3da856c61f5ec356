import { expect, test } from "vitest";
import { inboxUri, parseUri } from "./resource-uris.ts";

const ADDRESS = "ada@mail.example.com";

test.each([
  [`letterslot://inbox/${ADDRESS}`, { kind: "inbox", address: ADDRESS }],
  ["letterslot://inbox/ada%40mail.example.com", { kind: "inbox", address: ADDRESS }],
  ["letterslot://inbox/ada", { kind: "inbox", address: "ada" }],
  [`letterslot://inbox/${ADDRESS}/message/msg_1`, { kind: "message", address: ADDRESS, id: "msg_1" }],
  [`letterslot://inbox/${ADDRESS}/thread/thr_1`, { kind: "thread", address: ADDRESS, id: "thr_1" }],
  [
    `letterslot://inbox/${ADDRESS}/message/msg_1/attachment/att_1/text`,
    { kind: "attachment", address: ADDRESS, message_id: "msg_1", id: "att_1" },
  ],
])("%s is understood", (uri, name) => {
  expect(parseUri(uri)).toEqual(name);
});

test.each([
  "",
  "file:///etc/passwd",
  "letterslot://inbox",
  "letterslot://inbox/",
  "letterslot://inbox/ada/",
  "letterslot://inbox/ada/message/",
  "letterslot://inbox/ada/message/msg_1/raw",
  "letterslot://inbox/ada/message/msg_1/attachment/att_1",
  "letterslot://inbox/ada/owner/own_1",
  "letterslot://inbox/ada?x=1",
  "letterslot://inbox/%zz",
  "https://letterslot://inbox/ada",
  `letterslot://inbox/${"a".repeat(1_000)}`,
])("%s is nothing of ours", (uri) => {
  expect(parseUri(uri)).toBeUndefined();
});

test.each([ADDRESS, "a+b@example.com", "münch/en@example.com", "a b@example.com"])(
  "the URI of the inbox %s names it",
  (address) => {
    expect(parseUri(inboxUri(address))).toEqual({ kind: "inbox", address });
  },
);

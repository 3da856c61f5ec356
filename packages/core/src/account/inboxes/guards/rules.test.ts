import { describe, expect, test } from "vitest";
import type { OwnerCopy } from "../../../model/inboxes.ts";
import { NO_OUTBOUND, type Outbound, type SendMode, settleOutbound } from "../../../model/outbound.ts";
import { DEFAULT_SECURITY } from "../rules.ts";
import {
  changeOfGuards,
  checkAskedAlone,
  checkCanAsk,
  checkExpiry,
  checkManager,
  checkStart,
  decisionOn,
  type Guards,
  guardsOfChange,
  outboundAfter,
  outboundOf,
} from "./rules.ts";

const guards = (
  send_mode: SendMode,
  outbound: Partial<Outbound> = {},
  security: Partial<typeof DEFAULT_SECURITY> = {},
): Guards => ({
  ...DEFAULT_SECURITY,
  owner_copy: "off",
  release_by: send_mode === "direct" ? "key" : "authority",
  ...security,
  ...settleOutbound({ send_mode, outbound: { ...NO_OUTBOUND, ...outbound } }, "direct"),
});
const copied = (owner_copy: OwnerCopy): Guards => ({ ...guards("direct"), owner_copy });
const code = (expected: string) => expect.objectContaining({ code: expected });

test.each<[Guards, Guards, boolean, string]>([
  [guards("direct"), guards("guarded"), true, "nobody"],
  [guards("direct"), guards("direct", { content: "approve" }), false, "nobody"],
  [guards("direct"), guards("direct", { content: "block" }), false, "manager"],
  [guards("direct"), guards("direct", { content: "block" }), true, "person"],
  [guards("guarded"), guards("direct"), false, "manager"],
  [guards("guarded"), guards("direct"), true, "person"],
  [guards("direct"), guards("direct", {}, { screening: "off" }), false, "manager"],
  [guards("direct"), guards("direct", {}, { screening: "off" }), true, "person"],
  [guards("direct"), guards("direct", {}, { screening: "hold" }), true, "nobody"],
  [guards("direct"), guards("direct", {}, { sms_tasks: true }), true, "person"],
  [guards("direct"), guards("direct", {}, { release_by: "authority" }), true, "nobody"],
  [guards("guarded"), guards("guarded", {}, { release_by: "key" }), true, "person"],
  [guards("direct"), guards("guarded", {}, { release_by: "key" }), true, "person"],
  [guards("direct"), guards("guarded", {}, { release_by: "key" }), false, "manager"],
  [
    guards("guarded", {}, { release_by: "key" }),
    guards("approval", {}, { release_by: "key" }),
    true,
    "nobody",
  ],
  [copied("bcc"), copied("off"), true, "person"],
  [copied("cc"), copied("off"), false, "manager"],
  [copied("cc"), copied("bcc"), true, "nobody"],
  [copied("off"), copied("cc"), true, "nobody"],
])("%#: a change is decided by somebody", (before, after, people, who) => {
  expect(decisionOn(before, after, people)).toBe(who);
});

test("an existing inbox asks people only where there are some", () => {
  expect(() => checkCanAsk(guards("direct"), guards("guarded"), true)).not.toThrow();
  expect(() => checkCanAsk(guards("guarded"), guards("direct"), false)).not.toThrow();
  expect(() => checkCanAsk(guards("direct"), guards("guarded"), false)).toThrow(
    expect.objectContaining({ code: "owner_required", param: "send_mode" }),
  );
  expect(() => checkCanAsk(guards("direct"), guards("direct", { content: "approve" }), false)).toThrow(
    expect.objectContaining({ code: "owner_required", param: "outbound" }),
  );
  expect(() =>
    checkCanAsk(guards("direct"), guards("direct", {}, { release_by: "authority" }), false),
  ).toThrow(expect.objectContaining({ code: "owner_required", param: "release_by" }));
});

test("what isn't tighter takes owner_manage", () => {
  expect(() => checkManager(null)).not.toThrow();
  expect(() => checkManager(["owner_manage"])).not.toThrow();
  expect(() => checkManager(["inbox_update"])).toThrow(code("permission_denied"));
});

test("what a person decides is asked for alone", () => {
  expect(() => checkAskedAlone({ send_mode: "direct" }, { status: undefined })).not.toThrow();
  expect(() => checkAskedAlone({ screening: "off" }, { status: "paused" })).toThrow(
    expect.objectContaining({ code: "invalid_request", param: "screening" }),
  );
  expect(() => checkAskedAlone({}, { status: "paused" })).toThrow(code("invalid_request"));
});

test("an earlier expiry is an end that needs an approval", () => {
  const inbox = { id: "inb_1", expires_at: "2026-02-01T00:00:00.000Z" };
  for (const kept of [undefined, null, "2026-02-02T00:00:00.000Z"])
    expect(() => checkExpiry(inbox, kept)).not.toThrow();
  const required = expect.objectContaining({
    code: "approval_required",
    message: expect.stringContaining("inb_1"),
  });
  expect(() => checkExpiry(inbox, "2026-01-02T00:00:00.000Z")).toThrow(required);
  expect(() => checkExpiry({ ...inbox, expires_at: null }, "2026-02-02T00:00:00.000Z")).toThrow(required);
});

describe("a new inbox", () => {
  const start = (
    asked: { send_mode?: SendMode; outbound?: Partial<Outbound> },
    people: boolean,
    permissions: [] | null = null,
  ) => {
    const mode = asked.send_mode ?? "direct";
    const found = { plain: guards(mode), made: guards(mode, asked.outbound) };
    return () => checkStart(asked, found, { people, permissions });
  };

  test("asks people always only if there are some", () => {
    expect(start({ send_mode: "guarded" }, false)).not.toThrow();
    expect(start({ send_mode: "approval" }, true)).not.toThrow();
    expect(start({ send_mode: "approval" }, false)).toThrow(code("owner_required"));
  });

  test("lets mail leave more freely only by a caller who manages owners, while nobody could decide", () => {
    const loose = { outbound: { untrusted: "off" as const } };
    expect(start(loose, false)).not.toThrow();
    expect(start(loose, false, [])).toThrow(code("permission_denied"));
    expect(start(loose, true)).toThrow(code("approval_required"));
    expect(start({ outbound: { content: "block" } }, true)).toThrow(code("approval_required"));
    expect(start({ outbound: { content: "approve" } }, true, [])).not.toThrow();
  });
});

test("a change is written into an approval and read back", () => {
  const asked = {
    screening: "off" as const,
    ...{ send_mode: "direct" as const, release_by: "key" as const },
    ...{ require_sender_auth: false, sms_tasks: true },
    outbound: { untrusted: null, content: "block" as const },
  };
  expect(guardsOfChange(changeOfGuards(asked))).toEqual(asked);
  expect(guardsOfChange(changeOfGuards({ send_mode: "guarded" }))).toEqual({ send_mode: "guarded" });
  expect(guardsOfChange({ send_mode: "later", content: "harder" })).toEqual({});
});

test("policies that a change doesn't name stay", () => {
  const before = outboundOf({ untrusted: "block" });
  expect(before).toEqual({ ...NO_OUTBOUND, untrusted: "block" });
  expect(outboundAfter(before, undefined)).toEqual(before);
  expect(outboundAfter(before, { untrusted: undefined, content: "off" })).toEqual({
    ...before,
    content: "off",
  });
});

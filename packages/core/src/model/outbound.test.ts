import { describe, expect, test } from "vitest";
import {
  asksAuthority,
  blocksMore,
  type EffectiveOutbound,
  isLooserOutbound,
  isTighterOutbound,
  looksAtMail,
  NO_OUTBOUND,
  type Outbound,
  type SendMode,
  settleOutbound,
  strictestSendMode,
} from "./outbound.ts";

const settled = (send_mode: SendMode, outbound: Partial<Outbound> = {}, floor: SendMode = "direct") =>
  settleOutbound({ send_mode, outbound: { ...NO_OUTBOUND, ...outbound } }, floor);
const off = { untrusted: "off", content: "off", new_recipients: "off" } as const;

test.each([
  ["direct", "direct", "direct"],
  ["direct", "guarded", "guarded"],
  ["guarded", "direct", "guarded"],
  ["approval", "guarded", "approval"],
  ["guarded", "approval", "approval"],
] as const)("of %s and %s, %s is the stricter send mode", (one, other, stricter) => {
  expect(strictestSendMode(one, other)).toBe(stricter);
});

const policies = (untrusted: string, content: string, new_recipients: string) => ({
  untrusted,
  content,
  new_recipients,
});

test.each<[SendMode, Partial<Outbound>, SendMode, SendMode, Record<string, string>]>([
  ["direct", {}, "direct", "direct", policies("observe", "observe", "observe")],
  ["direct", off, "direct", "direct", off],
  ["direct", off, "guarded", "guarded", policies("approve", "approve", "observe")],
  ["guarded", {}, "direct", "guarded", policies("approve", "approve", "observe")],
  ["guarded", { content: "block" }, "guarded", "guarded", policies("approve", "block", "observe")],
  ["guarded", { untrusted: "off" }, "direct", "guarded", policies("off", "approve", "observe")],
  ["guarded", { untrusted: "off" }, "guarded", "guarded", policies("approve", "approve", "observe")],
  ["direct", { new_recipients: "approve" }, "direct", "direct", policies("observe", "observe", "approve")],
  ["direct", {}, "approval", "approval", policies("approve", "approve", "approve")],
])("%s with %j above the floor %s is %s with %j", (mode, own, floor, in_force, effective) => {
  expect(settled(mode, own, floor)).toMatchObject({
    effective_send_mode: in_force,
    effective_outbound: effective as EffectiveOutbound,
  });
});

describe("a change", () => {
  const { direct, guarded, approval } = {
    direct: settled("direct"),
    guarded: settled("guarded"),
    approval: settled("approval"),
  };
  test.each([
    [direct, guarded, { looser: false, tighter: true, blocks: false }],
    [guarded, approval, { looser: false, tighter: true, blocks: false }],
    [approval, guarded, { looser: true, tighter: false, blocks: false }],
    [guarded, direct, { looser: true, tighter: false, blocks: false }],
    [direct, direct, { looser: false, tighter: false, blocks: false }],
    [direct, settled("direct", { content: "approve" }), { looser: false, tighter: true, blocks: false }],
    [direct, settled("direct", { content: "block" }), { looser: false, tighter: false, blocks: true }],
    [
      settled("direct", { content: "block" }),
      settled("direct", { content: "approve" }),
      { looser: true, tighter: false, blocks: false },
    ],
    [
      settled("guarded", { content: "block" }),
      settled("direct", { content: "block", untrusted: "approve" }),
      { looser: true, tighter: false, blocks: false },
    ],
    [direct, settled("direct", { untrusted: "off" }), { looser: true, tighter: false, blocks: false }],
  ])("%#: %j", (before, after, { looser, tighter, blocks }) => {
    expect({
      looser: isLooserOutbound(before, after),
      tighter: isTighterOutbound(before, after),
      blocks: blocksMore(before, after),
    }).toEqual({ looser, tighter, blocks });
  });

  test("people are asked by guarded and approval, or by one policy; nothing is looked at when all are off", () => {
    expect(
      [direct, guarded, approval, settled("direct", { content: "approve" })].map((outbound) =>
        asksAuthority({ ...outbound, release_by: "key" }),
      ),
    ).toEqual([false, true, true, true]);
    expect(asksAuthority({ ...direct, release_by: "authority" })).toBe(true);
    expect([direct, settled("direct", off)].map(looksAtMail)).toEqual([true, false]);
  });
});

import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyReceipt } from "../../packages/client/src/receipts.ts";
import { rotateReceiptKey } from "../../packages/core/src/owners/receipts/keys.ts";
import {
  ada,
  answer,
  grace,
  guarded,
  heldMail,
  leftFor,
  signedIn,
} from "../../packages/core/test/approval-inbox.fixture.ts";
import { createTestService, signedBy } from "../../packages/core/testing/index.ts";
import { exported, imported } from "../support/archives.ts";

type Setting = Awaited<ReturnType<typeof guarded>>;

async function decided(at: Setting, decision: "approve" | "reject" = "approve", subject = "Offer") {
  const draft = await heldMail(at, { subject });
  const approval_id = draft.approval_id ?? "";
  const person = signedIn(at.service).approvals;
  const { approval } = await person.content({ approval_id });
  await person.decideInSession({ approval_id, decision, digest: approval.digest });
  return { approval_id, digest: approval.digest };
}

const keysOf = async ({ service }: Setting) => ({
  keys: await service.letterslot.operator.approvalKeys.list(),
});

describe("the receipt of a decision", () => {
  test("says who decided what, in hashes, and is verified with the published keys alone", async () => {
    const at = await guarded();
    const { approval_id, digest } = await decided(at);
    const { jws, payload, salt, sent } = await at.as.approvals.receipt({ approval_id });
    const keys = await keysOf(at);
    const iss = at.service.letterslot.services.options.baseUrl;
    const verified = await verifyReceipt(jws, {
      ...{ keys, iss, digest, account: at.account_id, approval: approval_id, prev: null },
    });
    expect(verified.payload).toEqual(payload);
    expect(payload).toMatchObject({
      ...{ jti: approval_id, decision: "approve", edited: false, prev: null, evidence: [{ type: "none" }] },
      ...{ asked_by: { key_id: at.caller.key.id }, decided_by: { method: "session" } },
      act: { type: "draft", digest, from: at.inbox.email, inbox_id: at.inbox_id },
    });
    expect(JSON.stringify(payload)).not.toMatch(/grace@|ada@|Offer/);
    expect([salt, sent]).toEqual([null, null]);
  });

  test("is verified too where its key was made while the decision was under way", async () => {
    const at = await guarded();
    const { seal, storage, clock } = at.service.letterslot.services;
    const later = { ...clock, now: () => new Date(clock.now().getTime() + 1500) };
    await rotateReceiptKey({ seal, storage, clock: later });
    const { approval_id } = await decided(at);
    await at.service.work();
    const { jws, sent } = await at.as.approvals.receipt({ approval_id });
    const keys = await keysOf(at);
    expect(await verifyReceipt(jws, { keys })).toHaveProperty("hash");
    await verifyReceipt(sent?.jws ?? "", { keys, parent: jws });
  });

  test("gives its salt to people in their session, and never to keys or events", async () => {
    const at = await guarded();
    const { approval_id } = await decided(at);
    const { letterslot } = at.service;
    const person = letterslot.asOwner({ email: grace, account_id: at.account_id });
    const { salt, payload } = await person.approvals.receipt({ approval_id });
    const hash = createHash("sha256").update(`${salt}${grace}`).digest("hex");
    expect(payload["decided_by"]).toEqual({ email_hash: hash, method: "session" });
    const { data } = await at.as.events.list({ limit: 100 });
    const event = data.find(({ type }) => type === "approval.decided");
    expect(event?.data).toHaveProperty("receipt", (await at.as.approvals.receipt({ approval_id })).jws);
    expect(JSON.stringify(data)).not.toContain(salt);
  });

  test("is followed by one of the mail that left, over its bytes as they were or as they arrived", async () => {
    const at = await guarded();
    const { approval_id } = await decided(at);
    await at.service.work();
    const { jws, sent } = await at.as.approvals.receipt({ approval_id });
    const keys = await keysOf(at);
    const eml = leftFor(at.service, ada).at(-1)?.raw ?? new Uint8Array();
    const { hash } = await verifyReceipt(jws, { keys });
    const of = { keys, parent: jws, prev: hash };
    await verifyReceipt(sent?.jws ?? "", { ...of, eml });
    const received = `Return-Path: <a@b.example>\r\nReceived: from a\r\n\tby b; today\r\n${new TextDecoder().decode(eml)}`;
    await verifyReceipt(sent?.jws ?? "", { ...of, eml: received });
    for (const forged of [received.replace("42 euros", "43 euros"), `Subject: New\r\n${received}`])
      await expect(verifyReceipt(sent?.jws ?? "", { ...of, eml: forged })).rejects.toMatchObject({
        reason: "other_mail",
      });
  });

  test("is chained to the one before it, over the whole account, in order of decision", async () => {
    const at = await guarded();
    const first = await decided(at);
    const second = await decided(at, "reject", "No");
    await at.service.work();
    const third = await decided(at, "approve", "Yes");
    const receipts = await Promise.all(
      [first, second, third].map(({ approval_id }) => at.as.approvals.receipt({ approval_id })),
    );
    const keys = await keysOf(at);
    const line = [receipts[0]?.jws, receipts[1]?.jws, receipts[0]?.sent?.jws, receipts[2]?.jws];
    // The first mail left before the second was asked about.
    const order = [line[0], line[2], line[1], line[3]].map((jws) => jws ?? "");
    let prev: string | null = null;
    for (const jws of order) prev = (await verifyReceipt(jws, { keys, prev })).hash;
    const [, , skipped = ""] = order;
    await expect(
      verifyReceipt(skipped, { keys, prev: (await verifyReceipt(order[0] ?? "", { keys })).hash }),
    ).rejects.toMatchObject({ reason: "broken_chain" });
  });

  test("exists for a reply by mail too, and not for what nobody decided", async () => {
    const at = await guarded();
    const draft = await heldMail(at);
    const approval_id = draft.approval_id ?? "";
    await expect(at.as.approvals.receipt({ approval_id })).rejects.toMatchObject({
      code: "receipt_not_found",
    });
    await answer(at.service, "yes");
    const { payload } = await at.as.approvals.receipt({ approval_id });
    expect(payload).toMatchObject({
      ...{ decision: "approve", decided_by: { method: "reply" } },
      evidence: [{ type: "none" }],
    });
    const stranger = await at.service.signUp("stranger");
    await expect(stranger.as.approvals.receipt({ approval_id })).rejects.toMatchObject({
      code: "approval_not_found",
    });
  });

  test("holds the signature of a reply, and the key as it was published", async () => {
    const at = await guarded();
    const draft = await heldMail(at);
    const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const header = Buffer.from("from:grace");
    const proof = {
      key: key.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
      signature: sign("sha256", header, key.privateKey).toString("base64"),
      header_hash: createHash("sha256").update(header).digest("hex"),
      body_hash: "ab".repeat(32),
    };
    const facts = signedBy("example.com");
    const dkim = facts.dkim.map((signature) => ({ ...signature, proof }));
    await answer(at.service, "yes", { facts: { ...facts, dkim } });
    const { jws, payload } = await at.as.approvals.receipt({ approval_id: draft.approval_id ?? "" });
    expect(payload["evidence"]).toEqual([{ type: "dkim", d: "example.com", s: "s1", ...proof }]);
    await verifyReceipt(jws, { keys: await keysOf(at) });
  });

  test("comes along with an export, and is verified after the move as before", async () => {
    const at = await guarded();
    const { approval_id } = await decided(at);
    await at.service.work();
    const before = await at.service.letterslot.services.storage.get("receipts", approval_id);
    const other = createTestService();
    const { api_key } = await imported(other, await exported(at.service, at.account_id));
    const moved = await other.letterslot.withKey(api_key).approvals.receipt({ approval_id });
    expect(moved).toMatchObject({ jws: before?.jws, salt: null, sent: { jws: before?.sent_jws } });
    const after = await other.letterslot.services.storage.get("receipts", approval_id);
    expect(after).toEqual(before);
    await verifyReceipt(moved.jws, { keys: await keysOf(at) });
    const foreign = { keys: await other.letterslot.operator.approvalKeys.list() };
    await expect(verifyReceipt(moved.jws, { keys: foreign })).rejects.toMatchObject({
      reason: "unknown_key",
    });
  });

  test("stays verifiable when its key is rotated out, and later ones need the new key", async () => {
    const at = await guarded();
    const first = await decided(at);
    const before = await keysOf(at);
    await at.service.letterslot.operator.approvalKeys.rotate();
    const second = await decided(at, "reject");
    const { jws } = await at.as.approvals.receipt({ approval_id: first.approval_id });
    const later = await at.as.approvals.receipt({ approval_id: second.approval_id });
    await verifyReceipt(jws, { keys: await keysOf(at) });
    await verifyReceipt(later.jws, { keys: (await keysOf(at)).keys });
    await expect(verifyReceipt(later.jws, { keys: before })).rejects.toMatchObject({ reason: "unknown_key" });
    const stored = await at.service.letterslot.services.storage.get("service_keys", "approval-receipts");
    const sealed = JSON.parse(at.service.letterslot.services.seal.open(stored?.sealed_key ?? "")) as {
      d: unknown;
    }[];
    expect(sealed.map(({ d }) => d === null)).toEqual([true, false]);
  });
});

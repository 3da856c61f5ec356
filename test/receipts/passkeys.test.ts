import { describe, expect, test } from "vitest";
import { verifyReceipt } from "../../packages/client/src/receipts.ts";
import { LIMITS } from "../../packages/core/src/catalogue/limits.ts";
import {
  ada,
  answer,
  approvalOf,
  grace,
  guarded,
  heldMail,
  hour,
  leftFor,
  signedIn,
} from "../../packages/core/test/approval-inbox.fixture.ts";
import { createManualClock, createTestService, type TestService } from "../../packages/core/testing/index.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";
import { type Answer, createSoftPasskey } from "../support/soft-passkey.ts";

const MINUTE = 60_000;

async function setting() {
  const clock = createManualClock();
  const service = createTestService({
    clock,
    passkeys: createPasskeys(),
    baseUrl: "https://mail.example.com",
  });
  const at = await guarded(service);
  return { ...at, service, clock };
}
/** A session of a person who typed a code now, and their operations in it. */
async function session({ letterslot }: TestService, email = grace) {
  const { services } = letterslot;
  const now = services.clock.now();
  const id = services.makeId("ses");
  const times = { created_at: now.toISOString(), last_seen_at: now.toISOString() };
  const expires_at = new Date(now.getTime() + 24 * hour).toISOString();
  await services.storage.insert("sessions", {
    ...{ id, token_hash: id, email, user_agent: null, ...times, expires_at },
  });
  const as = await letterslot.callerFor({ email, session_id: id, ip: null }, "passkeys.list", {});
  return letterslot.as(as);
}

type Person = Awaited<ReturnType<typeof session>>;

async function added(person: Person, service: TestService, older?: ReturnType<typeof createSoftPasskey>) {
  const device = createSoftPasskey(service.letterslot.services.options.baseUrl);
  const { create, get } = await person.passkeys.options({});
  const confirm = older === undefined ? {} : { confirm: older.sign(get ?? {}) };
  const passkey = await person.passkeys.create({
    passkey: device.make(create ?? {}),
    name: "Phone",
    ...confirm,
  });
  await service.work();
  return { device, passkey };
}

/** Grace has a passkey that counts, and the inbox asks for it. */
async function asking() {
  const at = await setting();
  await signedIn(at.service).authority.create({ account_id: at.account_id });
  const person = await session(at.service);
  const { device } = await added(person, at.service);
  await at.clock.advance(25 * hour);
  await at.as.inboxes.update({ inbox_id: at.inbox_id, approve_with: "passkey" });
  return { ...at, device, person: await session(at.service) };
}

/** Decides a held mail with a device. */
async function signs(
  at: Awaited<ReturnType<typeof asking>>,
  approval_id: string,
  {
    answer: how = {},
    ...more
  }: { answer?: Answer; changes?: { text: string }; decision?: "approve" | "reject" } = {},
) {
  const { digest } = await approvalOf(at, approval_id);
  const decision = more.decision ?? ("approve" as const);
  const input = {
    approval_id,
    decision,
    digest,
    ...(more.changes === undefined ? {} : { changes: more.changes }),
  };
  const { get } = await at.person.approvals.decideOptions(input);
  return at.person.approvals.decideInSession({ ...input, passkey: at.device.sign(get, how) });
}

describe("a passkey", () => {
  test("is added in a fresh session, told by email, and signs its person in", async () => {
    const at = await setting();
    const { device, passkey } = await added(await session(at.service), at.service);
    expect(passkey).toMatchObject({ name: "Phone", synced: false, last_used_at: null });
    expect(Date.parse(passkey.counts_from) - Date.parse(passkey.created_at)).toBe(24 * hour);
    const letter = new TextDecoder().decode(leftFor(at.service, grace).at(-1)?.raw);
    expect(letter).toContain("A passkey was added");
    const publicly = at.service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const { get } = await publicly.sessions.passkeyOptions({});
    const signed = device.sign(get ?? {});
    expect(await publicly.sessions.create({ passkey: signed })).toMatchObject({ email: grace });
    const named = device.sign((await publicly.sessions.passkeyOptions({})).get ?? {});
    expect(await publicly.sessions.create({ passkey: named, email: "Grace@EXAMPLE.com" })).toMatchObject({
      email: grace,
    });
    // The same answer signs nobody in twice.
    await expect(publicly.sessions.create({ passkey: signed })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
  });

  test("opens no session where another person is named", async () => {
    const at = await setting();
    const { device } = await added(await session(at.service), at.service);
    const { storage } = at.service.letterslot.services;
    const sessions = () => storage.count("sessions", { email: grace }, 10);
    const before = await sessions();
    const publicly = at.service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const passkey = device.sign((await publicly.sessions.passkeyOptions({})).get ?? {});
    await expect(publicly.sessions.create({ passkey, email: ada })).rejects.toMatchObject({
      code: "passkey_invalid",
      message: `That passkey signs in ${grace}, but this is for ${ada}.`,
    });
    expect(await sessions()).toBe(before);
  });

  test.each<[string, Answer]>([
    ["of another page", { origin: "https://mail.example.co" }],
    ["whose device didn't verify its person", { verified: false }],
    ["whose counter went back", { counter: 1 }],
    ["whose counter stood still", { counter: 2 }],
  ])("%s signs nobody in", async (_, how) => {
    const at = await setting();
    const { device } = await added(await session(at.service), at.service);
    const publicly = at.service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const first = await publicly.sessions.passkeyOptions({});
    await publicly.sessions.create({ passkey: device.sign(first.get ?? {}) });
    const { get } = await publicly.sessions.passkeyOptions({});
    await expect(publicly.sessions.create({ passkey: device.sign(get ?? {}, how) })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
  });

  test("is not added by who has a cookie that is older than 10 minutes, nor by a key", async () => {
    const at = await setting();
    const person = await session(at.service);
    const { create } = await person.passkeys.options({});
    await at.clock.advance(11 * MINUTE);
    const device = createSoftPasskey("https://mail.example.com");
    for (const call of [
      () => person.passkeys.options({}),
      () => person.passkeys.create({ passkey: device.make(create ?? {}) }),
    ])
      await expect(call()).rejects.toMatchObject({ code: "recent_sign_in_required" });
    await expect(at.as.passkeys.options({})).rejects.toMatchObject({ code: "owner_only" });
  });

  test("that was added with a stolen cookie counts for no decision before its person was warned for a day", async () => {
    const at = await asking();
    // The thief has a fresh cookie, but no device of the person.
    const thief = await session(at.service);
    const { create } = await thief.passkeys.options({});
    const stolen = createSoftPasskey("https://mail.example.com");
    await expect(thief.passkeys.create({ passkey: stolen.make(create ?? {}) })).rejects.toMatchObject({
      code: "passkey_required",
    });
    // In an account that doesn't ask for passkeys yet it can be added, and waits.
    const open = await setting();
    const cookie = await session(open.service);
    const { passkey } = await added(cookie, open.service);
    await expect(
      open.as.inboxes.update({ inbox_id: open.inbox_id, approve_with: "passkey" }),
    ).rejects.toMatchObject({ code: "passkey_required" });
    // The person removes it, as it doesn't count yet.
    expect(await (await session(open.service)).passkeys.delete({ passkey_id: passkey.id })).toMatchObject({
      deleted: true,
    });
  });

  test("that is confirmed by an older one counts at once", async () => {
    const at = await asking();
    const { passkey } = await added(at.person, at.service, at.device);
    expect(passkey.counts_from).toBe(passkey.created_at);
    expect((await at.person.passkeys.list({})).data).toHaveLength(2);
  });

  test("that counts is removed only with the signature of one that counts", async () => {
    const at = await asking();
    const [first] = (await at.person.passkeys.list({})).data;
    const passkey_id = first?.id ?? "";
    await expect(at.person.passkeys.delete({ passkey_id })).rejects.toMatchObject({
      code: "passkey_required",
    });
    const { get } = await at.person.passkeys.options({});
    const confirm = Buffer.from(JSON.stringify(at.device.sign(get ?? {}))).toString("base64url");
    const heidi = await session(at.service, "heidi@example.com");
    await expect(heidi.passkeys.delete({ passkey_id, confirm })).rejects.toMatchObject({
      code: "passkey_not_found",
    });
    await at.person.passkeys.delete({ passkey_id, confirm });
    expect((await at.person.passkeys.list({})).data).toEqual([]);
  });
});

describe("a passkey whose counting an account owner ended", () => {
  async function ended(at: Awaited<ReturnType<typeof asking>>) {
    const { service, account_id } = at;
    const email = "heidi@example.com";
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
    const heidi = await session(service, email);
    const own = (await at.person.authority.list({})).data.find((each) => each.account_id === account_id);
    await heidi.authority.update({ authority_id: own?.id ?? "", passkeys: "off" });
    await at.clock.advance(MINUTE);
    const [passkey] = (await at.person.passkeys.list({})).data;
    return { person: await session(service), ended_id: passkey?.id ?? "" };
  }
  const base64 = (signed: object) => Buffer.from(JSON.stringify(signed)).toString("base64url");

  test("makes no new one count at once, nor removes one that counts", async () => {
    const at = await asking();
    const { person, ended_id } = await ended(at);
    const { create, get } = await person.passkeys.options({});
    expect(get).toBeNull();
    const device = createSoftPasskey("https://mail.example.com");
    const passkey = await person.passkeys.create({
      passkey: device.make(create ?? {}),
      confirm: at.device.sign(get ?? {}),
    });
    expect(Date.parse(passkey.counts_from) - Date.parse(passkey.created_at)).toBe(24 * hour);
    await at.clock.advance(25 * hour);
    const later = await session(at.service);
    const signed = at.device.sign((await later.passkeys.options({})).get ?? {});
    await expect(
      later.passkeys.delete({ passkey_id: passkey.id, confirm: base64(signed) }),
    ).rejects.toMatchObject({ code: "passkey_invalid" });
    await later.passkeys.delete({ passkey_id: ended_id });
    expect((await later.passkeys.list({})).data.map(({ id }) => id)).toEqual([passkey.id]);
  });

  test("makes none count at once there either where it counts in another account", async () => {
    const at = await asking();
    const elsewhere = await at.service.signUp("elsewhere");
    await at.service.letterslot.operator.accounts.authority.give({
      account_id: elsewhere.account_id,
      email: grace,
    });
    const { person, ended_id } = await ended(at);
    const { passkey } = await added(person, at.service, at.device);
    expect(Date.parse(passkey.counts_from) - Date.parse(passkey.created_at)).toBe(24 * hour);
    await expect(person.passkeys.delete({ passkey_id: ended_id })).rejects.toMatchObject({
      code: "passkey_required",
    });
    const confirm = base64(at.device.sign((await person.passkeys.options({})).get ?? {}));
    expect(await person.passkeys.delete({ passkey_id: ended_id, confirm })).toMatchObject({ deleted: true });
  });
});

describe("a person who lost their only device", () => {
  test("has its passkey removed by the operator, is told so, and decides with another after a day", async () => {
    const at = await asking();
    const { operator } = at.service.letterslot;
    const [lost] = await operator.passkeys.list(grace.toUpperCase());
    expect(lost).toMatchObject({ object: "passkey", name: "Phone" });
    expect(lost).not.toHaveProperty("public_key");
    expect(await operator.passkeys.remove(lost?.id ?? "")).toEqual({ id: lost?.id, email: grace });
    await at.service.work();
    const letter = new TextDecoder().decode(leftFor(at.service, grace).at(-1)?.raw);
    expect(letter).toContain("The operator removed a passkey of yours");
    await expect(operator.passkeys.remove(lost?.id ?? "")).rejects.toMatchObject({
      code: "passkey_not_found",
      message: "There is no such passkey.",
    });
    const publicly = at.service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const { get } = await publicly.sessions.passkeyOptions({});
    await expect(publicly.sessions.create({ passkey: at.device.sign(get ?? {}) })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
    // Nothing counts yet, so nothing has to confirm the new one: it waits for a day.
    const { device } = await added(await session(at.service), at.service);
    const { approval_id } = await heldMail(at);
    await expect(signs({ ...at, device }, approval_id ?? "")).rejects.toMatchObject({
      code: "passkey_required",
    });
    await at.clock.advance(25 * hour);
    const later = { ...at, device, person: await session(at.service) };
    expect(await signs(later, approval_id ?? "")).toMatchObject({ status: "approved" });
  });
});

describe("who adds a passkey", () => {
  test("gives the device a hash of their address, not the address", async () => {
    const at = await setting();
    const handles = await Promise.all(
      [`${"é".repeat(60)}@example.com`, `${"é".repeat(60)}@example.org`].map(async (email) => {
        const { create } = await (await session(at.service, email)).passkeys.options({});
        return (create?.["user"] as { id: string } | undefined)?.id ?? "";
      }),
    );
    expect(handles.map((handle) => Buffer.from(handle, "base64url").length)).toEqual([32, 32]);
    expect(handles[0]).not.toBe(handles[1]);
  });

  test("and has as many as they may is offered no more, but what removes one", async () => {
    const at = await asking();
    for (let n = 1; n < LIMITS.passkeys_per_person; n++) await added(at.person, at.service, at.device);
    const { create, get } = await at.person.passkeys.options({});
    expect(create).toBeNull();
    const [first] = (await at.person.passkeys.list({})).data;
    const confirm = Buffer.from(JSON.stringify(at.device.sign(get ?? {}))).toString("base64url");
    await at.person.passkeys.delete({ passkey_id: first?.id ?? "", confirm });
  });

  test("is counted by their network: an IPv6 network is one place", async () => {
    const at = await setting();
    const from = (ip: string) => at.service.letterslot.as({ type: "public", ip }).sessions.passkeyOptions({});
    for (let n = 0; n < LIMITS.passkey_options_per_hour; n++) await from(`2001:db8:1:2::${n.toString(16)}`);
    await expect(from("2001:db8:1:2:ffff::1")).rejects.toMatchObject({ code: "rate_limited" });
    await from("2001:db8:1:3::1");
  });
});

describe("an inbox that asks for passkeys", () => {
  test("isn't deleted by undoing the pairing that made it, but its deletion is asked for", async () => {
    const at = await asking();
    const { service } = at;
    const person = await session(service);
    const { code, id: pairing_id } = await person.pairings.create({});
    const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
    const { api_key, account_id, inbox } = await publicly.pairings.pair({ code });
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    await owner.inboxes.update({ inbox_id: inbox.id, approve_with: "passkey" });
    expect(await person.pairings.delete({ pairing_id })).toMatchObject({
      keys_revoked: 1,
      inbox_closed: false,
    });
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    expect(await owner.inboxes.get({ inbox_id: inbox.id })).toMatchObject({ id: inbox.id });
    const [approval] = (await owner.approvals.list({ status: "pending" })).data;
    expect(approval).toMatchObject({ subject_type: "inbox_delete", subject_id: inbox.id });
    await signs({ ...at, as: owner }, approval?.id ?? "");
    await expect(owner.inboxes.get({ inbox_id: inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });

  test("sends a mail once a device signed exactly its approval, and the receipt proves it", async () => {
    const at = await asking();
    const draft = await heldMail(at);
    const approval_id = draft.approval_id ?? "";
    const decided = await signs(at, approval_id, { changes: { text: "41 euros" } });
    expect(decided).toMatchObject({ status: "approved", edited: true, decided_by: { method: "passkey" } });
    await at.service.work();
    expect(new TextDecoder().decode(leftFor(at.service, ada).at(-1)?.raw)).toContain("41 euros");
    const { jws } = await at.as.approvals.receipt({ approval_id });
    const keys = await at.service.letterslot.operator.approvalKeys.list();
    const of = { keys, digest: decided.digest, iss: "https://mail.example.com" };
    await verifyReceipt(jws, { ...of, approverKeys: [at.device.jwk] });
    await expect(
      verifyReceipt(jws, { ...of, approverKeys: [createSoftPasskey("https://a.example").jwk] }),
    ).rejects.toMatchObject({ reason: "invalid_passkey" });
  });

  test("is not approved by a session alone, nor by a reply, which is told to use the button", async () => {
    const at = await asking();
    const { approval_id } = await heldMail(at);
    const { digest } = await approvalOf(at, approval_id);
    const alone = { approval_id: approval_id ?? "", decision: "approve" as const, digest };
    await expect(at.person.approvals.decideInSession(alone)).rejects.toMatchObject({
      code: "passkey_required",
    });
    await answer(at.service, "yes");
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "pending" });
    expect(leftFor(at.service, ada)).toEqual([]);
    expect(new TextDecoder().decode(leftFor(at.service, grace).at(-1)?.raw)).toContain("button");
  });

  test.each<[string, Answer]>([
    ["another page", { origin: "https://mail.example.co" }],
    ["a device that didn't verify its person", { verified: false }],
    ["a counter that went back", { counter: 1 }],
  ])("refuses an assertion of %s", async (_, how) => {
    const at = await asking();
    await signs(at, (await heldMail(at)).approval_id ?? "", { decision: "reject" });
    const { approval_id } = await heldMail(at, { subject: "Another" });
    await expect(signs(at, approval_id ?? "", { answer: how })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "pending" });
  });

  test("refuses an assertion for another approval, another decision, another session, or a second time", async () => {
    const at = await asking();
    const [first, second] = [await heldMail(at), await heldMail(at, { subject: "Another" })];
    const of = async (id: string | null) => ({
      approval_id: id ?? "",
      digest: (await approvalOf(at, id)).digest,
    });
    const [one, two] = [await of(first.approval_id), await of(second.approval_id)];
    const approve = { decision: "approve" as const };
    const reject = { decision: "reject" as const };
    const optionsOf = (given: typeof one, how: typeof approve | typeof reject) =>
      at.person.approvals.decideOptions({ ...given, ...how });
    const passkey = at.device.sign((await optionsOf(one, approve)).get);
    await expect(at.person.approvals.decideInSession({ ...two, ...approve, passkey })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
    const rejection = at.device.sign((await optionsOf(one, reject)).get);
    await expect(
      at.person.approvals.decideInSession({ ...one, ...approve, passkey: rejection }),
    ).rejects.toMatchObject({ code: "approval_changed" });
    const elsewhere = at.device.sign((await optionsOf(one, approve)).get);
    const other = await session(at.service);
    await expect(
      other.approvals.decideInSession({ ...one, ...approve, passkey: elsewhere }),
    ).rejects.toMatchObject({ code: "passkey_invalid" });
    const late = at.device.sign((await optionsOf(one, approve)).get);
    await at.clock.advance(6 * MINUTE);
    await expect(
      at.person.approvals.decideInSession({ ...one, ...approve, passkey: late }),
    ).rejects.toMatchObject({ code: "passkey_invalid" });
    await signs(at, one.approval_id);
    await expect(at.person.approvals.decideInSession({ ...one, ...reject, passkey })).rejects.toMatchObject({
      code: "passkey_invalid",
    });
  });

  test("is made laxer, and deleted, only with a passkey too, whatever session asks", async () => {
    const at = await asking();
    const { inbox_id, account_id, service } = at;
    const inSession = service.letterslot.asOwner({ email: grace, account_id });
    const changes = [
      await inSession.inboxes.update({ inbox_id, approve_with: "session" }),
      await inSession.inboxes.update({ inbox_id, send_mode: "direct" }),
      await inSession.inboxes.delete({ inbox_id }),
    ];
    expect(changes.map((change) => "subject_type" in change && change.subject_type)).toEqual([
      ...["outbound_change", "outbound_change", "inbox_delete"],
    ]);
    const [first] = changes;
    await signs(at, first !== undefined && "subject_type" in first ? first.id : "");
    expect(await at.as.inboxes.get({ inbox_id })).toMatchObject({ approve_with: "session" });
  });

  test("no longer takes passkeys whose counting an account owner ended; new ones count after a day", async () => {
    const at = await asking();
    const { service, account_id } = at;
    const [own] = (await at.person.authority.list({})).data;
    const authority_id = own?.id ?? "";
    await service.letterslot.operator.accounts.authority.give({ account_id, email: "heidi@example.com" });
    const stranger = await session(service, "mallory@example.com");
    await expect(stranger.authority.update({ authority_id, passkeys: "off" })).rejects.toMatchObject({
      code: "authority_not_found",
    });
    const heidi = await session(service, "heidi@example.com");
    expect(await heidi.authority.update({ authority_id, passkeys: "off" })).toMatchObject({
      passkeys_off_at: expect.any(String),
    });
    await service.work();
    expect(new TextDecoder().decode(leftFor(service, grace).at(-1)?.raw)).toContain("no longer count");
    const { approval_id } = await heldMail(at);
    await expect(signs(at, approval_id ?? "")).rejects.toMatchObject({ code: "passkey_required" });
    await at.clock.advance(MINUTE);
    const { device, passkey } = await added(await session(service), service);
    expect(passkey.counts_from > passkey.created_at).toBe(true);
    await at.clock.advance(25 * hour);
    await signs({ ...at, device, person: await session(service) }, approval_id ?? "");
    expect(await approvalOf(at, approval_id)).toMatchObject({ status: "approved" });
  });
});

test("a service without a verifier of passkeys offers none", async () => {
  const service = createTestService();
  const publicly = service.letterslot.as({ type: "public", ip: null });
  await expect(publicly.sessions.passkeyOptions({})).rejects.toMatchObject({ code: "passkeys_unavailable" });
});

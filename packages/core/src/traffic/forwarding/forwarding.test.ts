import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  provenDomain,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import { lettersTo } from "../../../testing/owner-mail.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { endForwarding } from "./end.ts";
import { sendForwardingLetter } from "./letter.ts";

const grace = "grace@family.example";
const bo = "bo@elsewhere.example";
const HOUR = 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("ada");
});

const here = () => ({ inbox_id: account.inbox.id });
const publicly = (ip: string | null = null) => service.letterslot.as({ type: "public", ip });
const person = (email = grace) => service.letterslot.asOwner({ email, account_id: account.account_id });
const give = (email = grace) =>
  service.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email });
const ask = (more: Partial<Parameters<typeof account.as.forwarding.create>[0]> = {}) =>
  account.as.forwarding.create({ ...here(), email: bo, ...more });
const get = async (forwarding_id: string) => account.as.forwarding.get({ ...here(), forwarding_id });
const tokenFor = (email = bo): string =>
  /forwarding\/confirm\?token=(\w+)/.exec(lettersTo(service, email).at(-1) ?? "")?.[1] ?? "";

async function confirm(email = bo) {
  await service.work();
  return publicly().forwarding.confirm({ token: tokenFor(email), code: service.codeFor(email) });
}

async function decide(approval_id: string | null, decision: "approve" | "reject") {
  if (approval_id === null) throw new Error("nobody was asked");
  const { digest } = await account.as.approvals.get({ approval_id });
  await person().approvals.decideInSession({ approval_id, digest, decision });
  await service.work();
}

describe("asking to forward", () => {
  test("mails a code to that mailbox alone, then asks a person in charge, and forwards nothing before", async () => {
    await give();
    const asked = await ask({ everything: true });
    expect(asked).toMatchObject({
      ...{ object: "forwarding", email: bo, everything: true, status: "pending", verified_at: null },
      approval_id: null,
    });
    expect(asked.id).toMatch(/^fwd_/);
    await service.work();
    expect(service.transport.sent.map(({ from, envelope }) => [from, ...envelope.rcpt_to])).toEqual([
      [`no-reply@${account.inbox.email.split("@")[1]}`, bo],
    ]);
    expect((await account.as.messages.list(here())).data).toEqual([]);
    await service.receive({ from: "x@y.example", to: account.inbox.email, subject: "Before" });
    expect(await confirm()).toMatchObject({ confirmed: true, status: "pending" });
    const waiting = await get(asked.id);
    const approval = await account.as.approvals.get({ approval_id: waiting.approval_id ?? "" });
    expect(approval).toMatchObject({ subject_type: "forwarding_add", status: "pending" });
    expect(approval.summary).toContain(`Forward all mail that comes to ${account.inbox.email} to ${bo}`);
    expect(approval.summary).toContain("asked for by the key");
    expect(approval.reasons.map(({ code }) => code)).toContain("forwarding_everything");
    await service.work();
    expect(lettersTo(service, grace).at(-1)).toContain("All mail that comes to the inbox would go to");
    expect(lettersTo(service, bo)).toHaveLength(1);
    await decide(waiting.approval_id, "approve");
    expect(await get(asked.id)).toMatchObject({ status: "verified", verified_at: expect.any(String) });
    const events = await account.as.events.list({ types: ["forwarding.verified"] });
    expect(events.data).toMatchObject([{ data: { forwarding: { id: asked.id, email: bo } } }]);
    expect(lettersTo(service, bo)).toHaveLength(1);
  });

  test("is refused at once where nobody could decide, and no letter leaves", async () => {
    await expect(ask()).rejects.toMatchObject({ code: "owner_required" });
    await service.work();
    expect(service.transport.sent).toEqual([]);
  });

  test.each([
    ["an inbox", (email: string) => email],
    ["a subaddress", (email: string) => email.replace("@", "+x@")],
    ["an address below its domain", (email: string) => email.replace("@", "@deep.")],
    ["its domain in other letters", (email: string) => email.toUpperCase()],
  ])("is refused for %s of this service", async (_what, of) => {
    await give();
    await expect(ask({ email: of(account.inbox.email) })).rejects.toMatchObject({
      code: "forwarding_inside",
    });
  });

  test("is refused for a domain of any account that receives here", async () => {
    await give();
    const other = await service.signUp("other");
    await provenDomain(service.letterslot.services, other.account_id, { domain: "firm.example" });
    await expect(ask({ email: "boss@firm.example" })).rejects.toMatchObject({ code: "forwarding_inside" });
  });

  test("takes both permissions", async () => {
    await give();
    for (const permissions of [["inbox_update"], ["message_send"]] as const) {
      const { api_key } = await account.as.keys.create({ name: "Half", permissions: [...permissions] });
      const half = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
      await expect(half.forwarding.create({ ...here(), email: bo })).rejects.toMatchObject({
        code: "permission_denied",
      });
    }
  });

  test("is for five addresses an inbox; what failed leaves room", async () => {
    await give();
    const made = [];
    await service.clock.advance(60_000);
    for (let at = 0; at < LIMITS.forwardings_per_inbox; at++)
      made.push(await ask({ email: `bo${at}@elsewhere.example` }));
    await service.clock.advance(HOUR);
    await expect(ask({ email: "six@elsewhere.example" })).rejects.toMatchObject({ code: "forwarding_limit" });
    const { data } = await account.as.forwarding.list({ ...here(), limit: 2 });
    expect(data.map(({ id }) => id)).toEqual([made[4]?.id, made[3]?.id]);
    await account.as.forwarding.delete({ ...here(), forwarding_id: made[0]?.id ?? "" });
    expect(await ask({ email: "six@elsewhere.example" })).toMatchObject({ status: "pending" });
    await service.clock.advance(73 * HOUR);
    await service.work();
    expect(await ask({ email: "seven@elsewhere.example" })).toMatchObject({ status: "pending" });
  });

  test("mails an address three codes a day, and for one network five an hour", async () => {
    await give();
    for (let at = 0; at < 3; at++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: "rate_limited" });
    await service.clock.advance(24 * HOUR);
    await ask();
    const from = (ip: string) => async (email: string) => {
      const caller = await service.letterslot.authenticate(account.api_key, ip);
      return service.letterslot.as(caller).forwarding.create({ ...here(), email });
    };
    const near = from("198.51.100.7");
    for (let at = 0; at < 5; at++) {
      const { id } = await near(`c${at}@elsewhere.example`);
      await account.as.forwarding.delete({ ...here(), forwarding_id: id });
    }
    await expect(near("d@elsewhere.example")).rejects.toMatchObject({ code: "rate_limited" });
    expect(await from("203.0.113.5")("e@elsewhere.example")).toMatchObject({ status: "pending" });
  });

  test("again makes the older code and request end", async () => {
    await give();
    const { id } = await ask();
    await service.work();
    const [token, code] = [tokenFor(), service.codeFor(bo)];
    expect((await ask({ everything: true })).id).toBe(id);
    await service.work();
    await expect(publicly().forwarding.confirm({ token, code })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    await confirm();
    const { approval_id } = await get(id);
    await ask();
    expect(await account.as.approvals.get({ approval_id: approval_id ?? "" })).toMatchObject({
      status: "cancelled",
    });
    await service.work();
    expect(await get(id)).toMatchObject({ status: "pending", approval_id: null, everything: false });
  });

  test("again isn't undone by the end of the older request, nor answered by its letter", async () => {
    await give();
    const { id } = await ask();
    const { services } = service.letterslot;
    const { storage } = services;
    const older = await storage.get("forwardings", id);
    if (older === undefined) throw new Error("nothing was asked for");
    await service.clock.advance(HOUR);
    await ask();
    await unitOfWork(services, account.account_id, services.clock.now(), (work) =>
      endForwarding(services, work, older, "expired", services.clock.now()),
    );
    expect(await get(id)).toMatchObject({ status: "pending", failed_reason: null });
    const jobs = await storage.find("jobs", { where: { subject_id: id }, limit: 10 });
    const letter = jobs.find(({ kind }) => kind === "forwarding.letter");
    if (letter === undefined) throw new Error("no letter is on its way");
    const reading: typeof storage.get = async (table, key) =>
      table === "forwardings" ? (older as never) : storage.get(table, key);
    const stale = new Proxy(storage, {
      get: (target, name) => (name === "get" ? reading : Reflect.get(target, name, target)),
    });
    await storage.update("jobs", { id: letter.id }, { lease: "ours" });
    await sendForwardingLetter({ ...services, storage: stale }, { ...letter, lease: "ours" });
    expect(await storage.get("forwardings", id)).toMatchObject({ code_hash: null, link_hash: null });
    expect(service.transport.sent).toEqual([]);
    await service.work();
    expect(await confirm()).toMatchObject({ confirmed: true });
  });

  test("has room beside any number that have failed, and of those that were refused the newest count", async () => {
    await give();
    const { id } = await ask({ email: "no@elsewhere.example" });
    await confirm("no@elsewhere.example");
    const { approval_id } = await get(id);
    await decide(approval_id, "reject");
    const { storage } = service.letterslot.services;
    const [forwarding, approval] = await Promise.all([
      storage.get("forwardings", id),
      storage.get("approvals", approval_id ?? ""),
    ]);
    if (forwarding === undefined || approval === undefined) throw new Error("nothing was refused");
    const older = (nth: number) => `_0${String(nth).padStart(19, "0")}`;
    await storage.transaction(async (tx) => {
      for (let nth = 0; nth < 100; nth++) {
        const email = `old${nth}@elsewhere.example`;
        const change = { ...approval.change, email };
        tx.append("approvals", [{ ...approval, id: `apr${older(nth)}`, change }]);
        tx.append("forwardings", [{ ...forwarding, id: `fwd${older(nth)}`, email, approval_id: null }]);
      }
    });
    await expect(ask({ email: "no@elsewhere.example" })).rejects.toMatchObject({ code: "approval_rejected" });
    await service.clock.advance(HOUR);
    const { id: everything } = await ask({ everything: true });
    await confirm();
    await decide((await get(everything)).approval_id, "approve");
    await expect(ask()).rejects.toMatchObject({ code: "forwarding_exists" });
    expect(await storage.get("inboxes", account.inbox.id)).toMatchObject({ forwards_all: true });
    await service.receive({ from: "x@y.example", to: account.inbox.email, subject: "All" });
    await service.work();
    expect(lettersTo(service, bo).at(-1)).toContain("Subject: Fwd: All");
  });

  test("for a verified address is refused, so that nothing is widened without a person", async () => {
    await give();
    const { id } = await ask();
    await confirm();
    await decide((await get(id)).approval_id, "approve");
    await expect(ask({ everything: true })).rejects.toMatchObject({ code: "forwarding_exists" });
  });
});

describe("the code", () => {
  test("has five tries; a right one after four wrong ones counts", async () => {
    await give();
    const { id } = await ask();
    await service.work();
    const token = tokenFor();
    const right = service.codeFor(bo);
    const wrong = right === "000000" ? "000001" : "000000";
    for (let at = 0; at < 4; at++)
      await expect(publicly().forwarding.confirm({ token, code: wrong })).rejects.toMatchObject({
        code: "forwarding_code_invalid",
      });
    await publicly().forwarding.confirm({ token, code: right });
    expect((await get(id)).approval_id).not.toBeNull();
  });

  test("is locked after five, until a new letter", async () => {
    await give();
    await ask();
    await service.work();
    const token = tokenFor();
    const right = service.codeFor(bo);
    const wrong = right === "000000" ? "000001" : "000000";
    for (let at = 0; at < 5; at++)
      await expect(publicly().forwarding.confirm({ token, code: wrong })).rejects.toMatchObject({
        code: "forwarding_code_invalid",
      });
    await expect(publicly().forwarding.confirm({ token, code: right })).rejects.toMatchObject({
      code: "confirm_locked",
    });
    await ask();
    expect(await confirm()).toMatchObject({ confirmed: true });
  });

  test("that is right counts as no try, also where nobody can be asked for now", async () => {
    const { id: authority_id } = await give();
    await ask();
    await service.work();
    const [token, code] = [tokenFor(), service.codeFor(bo)];
    await service.letterslot.services.storage.delete("authorities", { id: authority_id });
    for (let at = 0; at < LIMITS.forwarding_code_tries; at++)
      await expect(publicly().forwarding.confirm({ token, code })).rejects.toMatchObject({
        code: "owner_required",
      });
    await give();
    expect(await publicly().forwarding.confirm({ token, code })).toMatchObject({ confirmed: true });
  });

  test("sent by two presses at once confirms once, and both say how it stands", async () => {
    await give();
    const { id } = await ask();
    await service.work();
    const said = { token: tokenFor(), code: service.codeFor(bo) };
    const both = await Promise.all([1, 2].map(() => publicly().forwarding.confirm(said)));
    expect(both).toMatchObject([{ confirmed: true }, { confirmed: true }]);
    expect((await account.as.approvals.list({})).data).toHaveLength(1);
    expect(await service.letterslot.services.storage.get("forwardings", id)).toMatchObject({ code_tries: 0 });
  });

  test("of a link that came back in a mail takes the mailbox's own session", async () => {
    await give();
    await ask();
    await service.work();
    const [token, code] = [tokenFor(), service.codeFor(bo)];
    const letter = lettersTo(service, bo).at(-1) ?? "";
    await service.receive({ from: bo, to: account.inbox.email, subject: "Fwd", text: letter });
    await expect(publicly().forwarding.confirm({ token, code })).rejects.toMatchObject({
      code: "session_required",
    });
    expect(await person(bo).forwarding.confirm({ token, code })).toMatchObject({ confirmed: true });
  });

  test("typed again says how it stands", async () => {
    await give();
    await ask();
    await confirm();
    expect(await confirm().catch((error: unknown) => error)).toMatchObject({ confirmed: true });
    expect(await publicly().forwarding.confirmation({ token: tokenFor() })).toMatchObject({
      ...{ email: bo, confirmed: true, inbox_email: account.inbox.email },
    });
  });
});

describe("the decision", () => {
  test("of no ends it, and the address isn't asked about for a day, whoever asks", async () => {
    await give();
    const { id } = await ask();
    await confirm();
    await decide((await get(id)).approval_id, "reject");
    expect(await get(id)).toMatchObject({ status: "failed", failed_reason: "rejected" });
    await account.as.forwarding.delete({ ...here(), forwarding_id: id });
    await expect(ask({ everything: true })).rejects.toMatchObject({ code: "approval_rejected" });
    await service.clock.advance(24 * HOUR);
    expect(await ask()).toMatchObject({ status: "pending" });
  });

  test("is made by who asks in their session and has charge: then the code is all", async () => {
    await give();
    const { id } = await person().forwarding.create({ ...here(), email: bo });
    await confirm();
    expect(await get(id)).toMatchObject({ status: "verified", approval_id: null });
    const { data } = await account.as.approvals.list({ status: "approved" });
    expect(data).toMatchObject([
      { subject_type: "forwarding_add", decided_by: { email: grace, method: "session" } },
    ]);
  });

  test("is asked for where the person who asked has lost charge meanwhile", async () => {
    const { id: authority_id } = await give();
    await give("heidi@family.example");
    const { id } = await person().forwarding.create({ ...here(), email: bo });
    await service.letterslot.operator.accounts.authority.end(authority_id);
    await confirm();
    expect(await get(id)).toMatchObject({ status: "pending", approval_id: expect.any(String) });
  });

  test("says nothing for a forwarding that was deleted since", async () => {
    await give();
    const { id } = await ask();
    await confirm();
    const { approval_id } = await get(id);
    await account.as.forwarding.delete({ ...here(), forwarding_id: id });
    expect(await account.as.approvals.get({ approval_id: approval_id ?? "" })).toMatchObject({
      status: "cancelled",
    });
  });

  test("comes within 72 hours, or it ends, with its request", async () => {
    await give();
    const { id } = await ask();
    await service.clock.advance(HOUR);
    await confirm();
    const { approval_id } = await get(id);
    await service.clock.advance(71 * HOUR);
    await service.work();
    expect(await get(id)).toMatchObject({ status: "failed", failed_reason: "expired" });
    expect(await account.as.approvals.get({ approval_id: approval_id ?? "" })).toMatchObject({
      status: "cancelled",
    });
    const { data } = await account.as.events.list({ types: ["forwarding.failed"] });
    expect(data).toMatchObject([{ data: { forwarding: { id, failed_reason: "expired" } } }]);
    await service.clock.advance(LIMITS.failed_forwardings_kept_ms + HOUR);
    await service.letterslot.sweep();
    await expect(get(id)).rejects.toMatchObject({ code: "forwarding_not_found" });
  });
});

describe("an agent that a stranger's mail talks into forwarding", () => {
  const drop = "drop@evil.example";

  test.each([
    ["a key of the account", undefined],
    ["a key held to the inbox", "scoped"],
  ])("gets nowhere without a person, as %s, by any door", async (_what, kind) => {
    await give();
    const { api_key } =
      kind === undefined ? account : await account.as.keys.createForInbox({ ...here(), name: "Scoped" });
    const agent = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const { id } = await agent.forwarding.create({ ...here(), email: drop, everything: true });
    await service.work();
    const [token, code] = [tokenFor(drop), service.codeFor(drop)];
    // The stranger's own mailbox agrees, as it would.
    await expect(agent.forwarding.confirm({ token, code })).rejects.toMatchObject({ code: "owner_only" });
    await confirm(drop);
    const { approval_id } = await get(id);
    const { digest } = await agent.approvals.get({ approval_id: approval_id ?? "" });
    await expect(
      agent.approvals.decideInSession({ approval_id: approval_id ?? "", digest, decision: "approve" }),
    ).rejects.toMatchObject({ code: "owner_only" });
    await expect(
      agent.rules.create({
        ...{ ...here(), name: "All", conditions: { subject_contains: ["a"] } },
        actions: { forward_to: drop },
      }),
    ).rejects.toMatchObject({ code: "invalid_rule" });
    await service.receive({ from: "x@y.example", to: account.inbox.email, subject: "A secret" });
    await service.work();
    const sent = service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(drop));
    expect(sent.map(({ from }) => from.split("@")[0])).toEqual(["no-reply"]);
    expect(await get(id)).toMatchObject({ status: "pending" });
  });

  test("finds nobody without authority who could decide it", async () => {
    await give();
    await ask({ email: drop });
    await confirm(drop);
    const [approval] = (await account.as.approvals.list({})).data;
    const { id: approval_id = "", digest = "" } = approval ?? {};
    await expect(
      person(drop).approvals.decideInSession({ approval_id, digest, decision: "approve" }),
    ).rejects.toMatchObject({ kind: "not_found" });
  });
});

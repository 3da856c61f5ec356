import { describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const grace = "grace@example.com";
const stranger = { type: "public", ip: "198.51.100.20" } as const;
const minute = 60_000;
const hour = 60 * minute;

async function invited(service: TestService, email = grace) {
  const account = await service.signUp("ada");
  const owner = await account.as.owners.create({ inbox_id: account.inbox.id, email });
  await service.work();
  return { ...account, owner, named: { inbox_id: account.inbox.id, owner_id: owner.id } };
}

/** The text of the newest letter that left for an address, decoded. */
function letterFor({ transport }: TestService, email: string): string {
  const mail = transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  return new TextDecoder().decode(mail?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
}

const linkTokenFor = (service: TestService, email: string) =>
  /confirm\?token=(\w{41})/.exec(letterFor(service, email))?.[1] ?? "no token";

const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

describe("inviting", () => {
  test("makes a pending owner and mails a link and a code, to the address as it was given", async () => {
    const service = createTestService();
    const given = "Grace@example.com";
    const { owner, inbox, as } = await invited(service, "Grace@Example.com");
    expect(owner).toMatchObject({
      object: "owner",
      email: given,
      status: "pending",
      digest: "immediate",
      email_style: null,
      effective_email_style: { style: "concise", note: null, source: "default" },
      verified_at: null,
      unsubscribed_at: null,
    });
    expect(service.transport.sent).toHaveLength(1);
    expect(service.transport.sent[0]).toMatchObject({ from: inbox.email, envelope: { rcpt_to: [given] } });
    expect(service.codeFor(given)).toMatch(/^\d{6}$/);
    expect(linkTokenFor(service, given)).toMatch(/^lso[a-z2-7]{38}$/);
    const { data } = await as.owners.list({ inbox_id: inbox.id });
    expect(data.map((listed) => ({ ...listed, idempotent: false }))).toEqual([owner]);
  });

  test("never shows the agent the code or the link", async () => {
    const service = createTestService();
    const { as, inbox, owner } = await invited(service);
    const code = service.codeFor(grace);
    const token = linkTokenFor(service, grace);
    const [letter] = (await as.messages.list({ inbox_id: inbox.id })).data;
    const id = { inbox_id: inbox.id, message_id: letter?.id ?? "" };
    const { storage } = service.letterslot.services;
    const seen = JSON.stringify([
      letter,
      await as.messages.get(id),
      new TextDecoder().decode((await as.messages.raw(id)).bytes),
      await as.search.messages({ q: code }),
      await as.search.messages({ q: token }),
      await storage.find("events", { where: {}, limit: 100 }),
      await storage.find("message_bodies", { where: {}, limit: 100 }),
      await storage.find("owners", { where: {}, limit: 100 }),
      await storage.find("jobs", { where: {}, limit: 100 }),
      owner,
    ]);
    // The search answers name their own query.
    expect(seen.replaceAll(`"q":"${code}"`, "").replaceAll(`"q":"${token}"`, "")).not.toContain(token);
    expect(seen.replaceAll(`"q":"${code}"`, "")).not.toMatch(new RegExp(`\\b${code}\\b`));
  });

  test("again sends a pending owner a new letter and invalidates the old code and link", async () => {
    const service = createTestService();
    const { as, named, inbox, owner } = await invited(service);
    const old = { code: service.codeFor(grace), token: linkTokenFor(service, grace) };
    const again = await as.owners.create({ inbox_id: inbox.id, email: grace, digest: "daily" });
    expect(again).toMatchObject({ id: owner.id, status: "pending", digest: "daily" });
    await service.work();
    expect(service.transport.sent).toHaveLength(2);
    await expect(as.owners.confirmWithCode({ ...named, code: old.code })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    const publicly = service.letterslot.as(stranger);
    await expect(publicly.owners.confirm({ token: old.token })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    expect((await as.owners.confirmWithCode({ ...named, code: service.codeFor(grace) })).status).toBe(
      "verified",
    );
  });

  test("again sends nothing to an owner who has confirmed", async () => {
    const service = createTestService();
    const { as, named, inbox } = await invited(service);
    await as.owners.confirmWithCode({ ...named, code: service.codeFor(grace) });
    expect((await as.owners.create({ inbox_id: inbox.id, email: grace })).status).toBe("verified");
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("is limited to three letters a day per address, across all accounts", async () => {
    const service = createTestService();
    for (const username of ["a", "b", "c"]) await service.signUp(username, grace);
    const { as, inbox } = await service.signUp("d");
    await expect(as.owners.create({ inbox_id: inbox.id, email: grace })).rejects.toMatchObject({
      code: "rate_limited",
    });
    await service.clock.advance(24 * hour);
    await expect(as.owners.create({ inbox_id: inbox.id, email: grace })).resolves.toBeDefined();
  });

  test("is done five times an hour from an address", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp();
    for (let made = 0; made < 5; made++)
      await as.owners.create({ inbox_id: inbox.id, email: `o${made}@example.com` });
    await expect(as.owners.create({ inbox_id: inbox.id, email: "o5@example.com" })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect((await as.owners.list({ inbox_id: inbox.id })).data).toHaveLength(5);
    await service.clock.advance(hour);
    await expect(as.owners.create({ inbox_id: inbox.id, email: "o5@example.com" })).resolves.toBeDefined();
  });

  test.each(["127.0.0.1", "::1"])(
    "is not limited by the hour for a program on this machine (%s), but by the day for an address",
    async (ip) => {
      const service = createTestService();
      const { caller, inbox } = await service.signUp();
      const local = service.letterslot.as({ ...caller, ip });
      for (let made = 0; made < 6; made++)
        await local.owners.create({ inbox_id: inbox.id, email: `o${made}@example.com` });
      const again = () => local.owners.create({ inbox_id: inbox.id, email: "o0@example.com" });
      await again();
      await again();
      await expect(again()).rejects.toMatchObject({ code: "rate_limited" });
    },
  );

  test("is limited to twenty owners per inbox", async () => {
    const service = createTestService();
    const { caller, inbox } = await service.signUp();
    const local = service.letterslot.as({ ...caller, ip: null });
    for (let made = 0; made < 20; made++)
      await local.owners.create({ inbox_id: inbox.id, email: `o${made}@example.com` });
    await expect(
      local.owners.create({ inbox_id: inbox.id, email: "more@example.com" }),
    ).rejects.toMatchObject({
      code: "owner_limit",
    });
    await expect(local.owners.create({ inbox_id: inbox.id, email: "o1@example.com" })).resolves.toBeDefined();
  });

  test.each([
    "",
    "nobody",
    "a@b@c",
    "Ada <ada@example.com> <eve@example.com>",
    "ada@example.com, eve@example.com",
    "ada@example.com\nBcc: x@example.com",
  ])("refuses %j", async (email) => {
    const { as, inbox } = await createTestService().signUp();
    await expect(as.owners.create({ inbox_id: inbox.id, email })).rejects.toMatchObject({
      code: "invalid_address",
      param: "email",
    });
  });
});

describe("confirming by code", () => {
  test("verifies the owner, claims the account and publishes an event, once", async () => {
    const service = createTestService();
    const { as, named, account_id, inbox } = await invited(service);
    await service.clock.advance(minute);
    const code = service.codeFor(grace);
    const confirmed = await as.owners.confirmWithCode({
      ...named,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(confirmed).toMatchObject({ status: "verified", verified_at: "2026-01-01T00:01:00.000Z" });
    expect(await as.owners.confirmWithCode({ ...named, code: wrong(code) })).toEqual(confirmed);

    const { storage } = service.letterslot.services;
    expect((await storage.get("accounts", account_id))?.claimed).toBe(true);
    const events = await storage.find("events", { where: { account_id }, limit: 100 });
    const verified = events.filter(({ type }) => type === "owner.verified");
    expect(verified).toMatchObject([
      { inbox_id: inbox.id, data: { owner: { email: grace, status: "verified" } } },
    ]);
    expect(Object.keys(verified[0]?.data["owner"] as object)).not.toContain("code_hash");
  });

  test("allows five tries, even concurrent ones", async () => {
    const service = createTestService();
    const { as, named } = await invited(service);
    const code = service.codeFor(grace);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => as.owners.confirmWithCode({ ...named, code: wrong(code) })),
    );
    const codes = tries.map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "confirmed",
    );
    expect(codes.filter((each) => each === "confirm_invalid")).toHaveLength(5);
    expect(codes.filter((each) => each === "confirm_locked")).toHaveLength(3);
    await expect(as.owners.confirmWithCode({ ...named, code })).rejects.toMatchObject({
      code: "confirm_locked",
    });

    await as.owners.create({ inbox_id: named.inbox_id, email: grace });
    await service.work();
    expect((await as.owners.confirmWithCode({ ...named, code: service.codeFor(grace) })).status).toBe(
      "verified",
    );
  });

  test("expires after 30 minutes, while the link stays valid", async () => {
    const service = createTestService();
    const { as, named } = await invited(service);
    await service.clock.advance(30 * minute);
    await expect(as.owners.confirmWithCode({ ...named, code: service.codeFor(grace) })).rejects.toMatchObject(
      {
        code: "confirm_expired",
      },
    );
    const token = linkTokenFor(service, grace);
    expect((await service.letterslot.as(stranger).owners.confirm({ token })).status).toBe("verified");
  });

  test("works for the inbox's own owners and keys with owner_manage only", async () => {
    const service = createTestService();
    const { named, caller } = await invited(service);
    const eve = await service.signUp("eve");
    const code = service.codeFor(grace);
    await expect(
      eve.as.owners.confirmWithCode({ ...named, inbox_id: eve.inbox.id, code }),
    ).rejects.toMatchObject({
      code: "owner_not_found",
    });
    const reader = service.letterslot.as({ ...caller, permissions: ["owner_read"] });
    await expect(reader.owners.confirmWithCode({ ...named, code })).rejects.toMatchObject({
      code: "permission_denied",
      param: "owner_manage",
    });
    expect((await reader.owners.get(named)).status).toBe("pending");
  });
});

describe("confirming by link", () => {
  test("shows what it confirms, then confirms it, once", async () => {
    const service = createTestService();
    const { inbox, owner } = await invited(service);
    const publicly = service.letterslot.as(stranger);
    const token = linkTokenFor(service, grace);
    const shown = { object: "owner_confirmation", id: owner.id, inbox_email: inbox.email, email: grace };
    expect(await publicly.owners.confirmation({ token })).toMatchObject({ ...shown, status: "pending" });
    expect(await publicly.owners.confirmation({ token })).toMatchObject({ ...shown, status: "pending" });
    const confirmed = await publicly.owners.confirm({ token });
    expect(confirmed).toMatchObject({ ...shown, status: "verified" });
    expect(await publicly.owners.confirm({ token })).toEqual(confirmed);
    await service.clock.advance(48 * hour);
    expect(await publicly.owners.confirmation({ token })).toEqual(confirmed);
  });

  test("expires after 24 hours", async () => {
    const service = createTestService();
    await invited(service);
    const publicly = service.letterslot.as(stranger);
    const token = linkTokenFor(service, grace);
    await service.clock.advance(24 * hour);
    await expect(publicly.owners.confirmation({ token })).rejects.toMatchObject({ code: "confirm_expired" });
    await expect(publicly.owners.confirm({ token })).rejects.toMatchObject({ code: "confirm_expired" });
  });

  test("with an unknown token, or one of a deleted owner, is invalid", async () => {
    const service = createTestService();
    const { as, named } = await invited(service);
    const publicly = service.letterslot.as(stranger);
    await expect(publicly.owners.confirm({ token: "x".repeat(40) })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    const token = linkTokenFor(service, grace);
    await as.owners.delete(named);
    await expect(publicly.owners.confirm({ token })).rejects.toMatchObject({ code: "confirm_invalid" });
  });
});

describe("confirming by address and code, without a key", () => {
  test("verifies the owner", async () => {
    const service = createTestService();
    await invited(service);
    const publicly = service.letterslot.as(stranger);
    const code = service.codeFor(grace);
    expect((await publicly.owners.confirm({ email: " Grace@example.com", code })).status).toBe("verified");
    expect((await publicly.owners.confirm({ email: grace, code })).status).toBe("verified");
  });

  test("answers an unknown address exactly like a wrong code", async () => {
    const service = createTestService();
    await invited(service);
    const publicly = service.letterslot.as({ type: "public", ip: null });
    const answers = async (email: string) => {
      const codes = [];
      for (let tries = 0; tries < 7; tries++) {
        codes.push(
          await publicly.owners
            .confirm({ email, code: wrong(service.codeFor(grace)) })
            .catch((error: { code: string }) => error.code),
        );
      }
      return codes;
    };
    const unknown = await answers("nobody@example.com");
    expect(unknown).toEqual([...Array(5).fill("confirm_invalid"), "confirm_locked", "confirm_locked"]);
    expect(await answers(grace)).toEqual(unknown);
  });

  test("doesn't use up the link or the agent's own attempts", async () => {
    const service = createTestService();
    const { as, named } = await invited(service);
    const publicly = service.letterslot.as({ type: "public", ip: null });
    const code = service.codeFor(grace);
    for (let tries = 0; tries < 9; tries++)
      await expect(publicly.owners.confirm({ email: grace, code: wrong(code) })).rejects.toMatchObject({
        code: tries < 5 ? "confirm_invalid" : "confirm_locked",
      });
    expect((await publicly.owners.confirmation({ token: linkTokenFor(service, grace) })).status).toBe(
      "pending",
    );
    expect((await as.owners.confirmWithCode({ ...named, code })).status).toBe("verified");
  });

  describe("after wrong codes", () => {
    const from = (service: TestService, ip: string) => (email: string, code: string) =>
      service.letterslot
        .as({ type: "public", ip })
        .owners.confirm({ email, code })
        .then(
          ({ status }) => status,
          (error: { code: string }) => error.code,
        );
    const many = async (count: number, attempt: () => Promise<string>) => {
      const answers = [];
      for (let tries = 0; tries < count; tries++) answers.push(await attempt());
      return answers;
    };

    test("is locked for the address that entered five, and for no other", async () => {
      const service = createTestService();
      await invited(service);
      const code = service.codeFor(grace);
      const guess = from(service, "203.0.113.7");
      const guessed = await many(6, () => guess(grace, wrong(code)));
      expect(guessed).toEqual([...Array(5).fill("confirm_invalid"), "confirm_locked"]);
      expect(await guess(grace, code)).toBe("confirm_locked");
      expect(await from(service, "198.51.100.1")(grace, code)).toBe("verified");
    });

    test("is locked for everybody after twenty, until the codes of that time are over", async () => {
      const service = createTestService();
      await invited(service);
      const code = service.codeFor(grace);
      for (let network = 1; network <= 4; network++) {
        const guess = from(service, `203.0.113.${network}`);
        // The sixth and seventh of each are locked, and don't count towards the lock for all.
        expect(await many(7, () => guess(grace, wrong(code)))).toContain("confirm_locked");
      }
      const honest = from(service, "198.51.100.1");
      expect(await honest(grace, code)).toBe("confirm_locked");
      expect(await honest("ada@example.com", "123456")).toBe("confirm_invalid");
      await service.clock.advance(LIMITS.owner_code_ms);
      expect(await honest(grace, wrong(code))).toBe("confirm_invalid");
    });

    test("is locked at five however many of them are entered at once", async () => {
      const service = createTestService();
      await invited(service);
      const guess = from(service, "203.0.113.7");
      const guessed = await Promise.all(
        Array.from({ length: 12 }, () => guess(grace, wrong(service.codeFor(grace)))),
      );
      expect(guessed.filter((answer) => answer === "confirm_invalid")).toHaveLength(5);
    });

    test("is not locked by right ones", async () => {
      const service = createTestService();
      await invited(service);
      const confirm = from(service, "203.0.113.7");
      const code = service.codeFor(grace);
      expect(await many(8, () => confirm(grace, code))).toEqual(Array(8).fill("verified"));
    });
  });

  test("is limited to twenty attempts an hour per client address", async () => {
    const service = createTestService();
    const publicly = service.letterslot.as(stranger);
    const attempt = (name: string) =>
      publicly.owners.confirm({ email: `${name}@example.com`, code: "123456" });
    for (let tries = 0; tries < 20; tries++)
      await expect(attempt(`n${tries}`)).rejects.toMatchObject({ code: "confirm_invalid" });
    await expect(attempt("n20")).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("ends after 30 minutes", async () => {
    const service = createTestService();
    await invited(service);
    await service.clock.advance(30 * minute);
    const attempt = service.letterslot
      .as(stranger)
      .owners.confirm({ email: grace, code: service.codeFor(grace) });
    await expect(attempt).rejects.toMatchObject({ code: "confirm_expired" });
  });

  test("finds the right inbox among several of one person", async () => {
    const service = createTestService();
    const first = await service.signUp("one", grace);
    await service.work();
    const code = service.codeFor(grace);
    await service.signUp("two", grace);
    await service.work();
    const publicly = service.letterslot.as(stranger);
    expect((await publicly.owners.confirm({ email: grace, code })).inbox_email).toBe(first.inbox.email);
  });

  test.each([{}, { email: grace }, { code: "123456" }, { token: "t", email: grace, code: "123456" }])(
    "needs exactly one proof, not %j",
    async (proof) => {
      await expect(createTestService().letterslot.as(stranger).owners.confirm(proof)).rejects.toMatchObject({
        code: "invalid_request",
      });
    },
  );
});

describe("an owner", () => {
  test("is changed in digest and style", async () => {
    const { as, named } = await invited(createTestService());
    await as.me.update({ owner_email_style: "detailed" });
    expect((await as.owners.get(named)).effective_email_style).toEqual({
      style: "detailed",
      note: null,
      source: "account",
    });
    const changed = await as.owners.update({
      ...named,
      digest: "daily",
      email_style: "casual",
      email_style_note: "Short.",
    });
    expect(changed).toMatchObject({
      digest: "daily",
      effective_email_style: { style: "casual", note: "Short.", source: "owner" },
    });
    expect((await as.owners.update({ ...named, email_style: null })).effective_email_style.source).toBe(
      "account",
    );
    await expect(as.owners.update(named)).rejects.toMatchObject({ code: "missing_change" });
    await expect(as.owners.update({ ...named, digest: "weekly" as "daily" })).rejects.toMatchObject({
      code: "invalid_request",
      param: "digest",
    });
  });

  test("who chose a style on their own page keeps it", async () => {
    const service = createTestService();
    const { as, named, owner } = await invited(service);
    await service.letterslot.services.storage.update(
      "owners",
      { id: owner.id },
      { style_locked: true, email_style: "casual" },
    );
    await expect(as.owners.update({ ...named, email_style: "concise" })).rejects.toMatchObject({
      code: "owner_style_locked",
    });
    expect(await as.owners.update({ ...named, digest: "daily" })).toMatchObject({
      digest: "daily",
      effective_email_style: { source: "owner_page" },
    });
  });

  test("is removed, and then not found", async () => {
    const { as, named, inbox } = await invited(createTestService());
    expect(await as.owners.delete(named)).toEqual({ id: named.owner_id, object: "owner", deleted: true });
    await expect(as.owners.get(named)).rejects.toMatchObject({ code: "owner_not_found" });
    await expect(as.owners.delete(named)).rejects.toMatchObject({ code: "owner_not_found" });
    expect((await as.owners.list({ inbox_id: inbox.id })).data).toEqual([]);
  });

  test("can unsubscribe with a letter's token, once, and keeps their rights", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const owner_id = await service.addOwner(account, grace);
    await account.as.updates.create({ inbox_id: account.inbox.id, kind: "done", text: "Finished." });
    await service.work();
    const token = /unsubscribe\?token=(\w{41})/.exec(letterFor(service, grace))?.[1] ?? "no token";
    const publicly = service.letterslot.as(stranger);
    const left = await publicly.owners.unsubscribe({ token });
    expect(left).toMatchObject({
      email: grace,
      inbox_email: account.inbox.email,
      unsubscribed_at: "2026-01-01T00:00:00.000Z",
    });
    await service.clock.advance(minute);
    expect(await publicly.owners.unsubscribe({ token })).toEqual(left);
    await expect(publicly.owners.unsubscribe({ token: "y".repeat(40) })).rejects.toMatchObject({
      code: "owner_link_invalid",
    });

    expect(await account.as.owners.get({ inbox_id: account.inbox.id, owner_id })).toMatchObject({
      status: "verified",
    });
    await service.receive({
      from: `Grace <${grace}>`,
      to: account.inbox.email,
      text: "Please book a table.",
    });
    expect((await account.as.tasks.list({})).data).toHaveLength(1);
    const events = await service.letterslot.services.storage.find("events", {
      where: { account_id: account.account_id },
      limit: 100,
    });
    expect(events.filter(({ type }) => type === "owner.unsubscribed")).toHaveLength(1);
  });
});

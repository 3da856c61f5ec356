import { describe, expect, test } from "vitest";
import {
  createTestService,
  forgedFrom,
  provenDomain,
  signedBy,
  type TestService,
} from "../../../testing/index.ts";
import type { SenderFacts } from "../../model/sender-facts.ts";
import { acceptsRecipient } from "../inbound/destination.ts";
import { EARLIER_PATHS } from "./match-report.ts";
import { returnPathOf } from "./return-path.ts";

const dayMs = 24 * 3600_000;

/** A delivery status notification about recipients, as anybody can write one. */
function notification(from: string, to: string, recipients: readonly string[], original: string): Uint8Array {
  const blocks = recipients.map(
    (address) =>
      `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 user unknown\r\n\r\n`,
  );
  return reportOf("delivery-status", from, to, `Reporting-MTA: dns; mx\r\n\r\n${blocks.join("")}`, original);
}

function complaint(from: string, to: string, recipient: string, original: string): Uint8Array {
  const fields = `Feedback-Type: abuse\r\nVersion: 1\r\nOriginal-Rcpt-To: ${recipient}\r\n`;
  return reportOf("feedback-report", from, to, fields, original);
}

let made = 0;
function reportOf(kind: string, from: string, to: string, fields: string, original: string): Uint8Array {
  const type = kind === "delivery-status" ? "message/delivery-status" : "message/feedback-report";
  return new TextEncoder().encode(
    [
      ...[
        `From: ${from}`,
        `To: ${to}`,
        "Subject: Report",
        `Message-ID: <${++made}@report.test>`,
        "MIME-Version: 1.0",
      ],
      ...[
        `Content-Type: multipart/report; report-type=${kind}; boundary="b"`,
        "",
        "--b",
        "Content-Type: text/plain",
        "",
      ],
      ...[
        "A report.",
        "--b",
        `Content-Type: ${type}`,
        "",
        fields,
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
      ],
      ...[original, "--b--", ""],
    ].join("\r\n"),
  );
}

/** A mail of an agent to these recipients, and how reports about it come in. */
async function sent(to: string[], trusted_reporters: string[] = []) {
  let facts: SenderFacts = forgedFrom("evil.test");
  const service = createTestService({
    trustedReporters: trusted_reporters,
    senderAuth: { check: async () => facts },
  });
  const account = await service.signUp();
  const { as, inbox } = account;
  const send = async (recipients: string[]) => {
    const { id } = await as.messages.send({ inbox_id: inbox.id, to: recipients, subject: "Hi", text: "Hi" });
    await service.work();
    return id;
  };
  const id = await send(to);
  const mail = service.transport.sent.at(-1);
  const path = mail?.envelope.mail_from ?? "";
  const raw = Buffer.from(mail?.raw ?? []).toString();
  const header = /^X-Svc-Report: \S+/m.exec(raw)?.[0] ?? "";
  const receive = async (
    report: Uint8Array,
    at: string,
    from: { facts?: SenderFacts; mail_from?: string; ip?: string; helo?: string } = {},
  ) => {
    facts = from.facts ?? forgedFrom("evil.test");
    const { mail_from = "", ip = "192.0.2.66", helo = "mx.evil.test" } = from;
    const envelope = { mail_from, rcpt_to: [at], client_ip: ip, helo };
    const { results } = await service.letterslot.receive({ raw: report, envelope, origin: "smtp" });
    await service.work();
    return results[0];
  };
  const message = () => as.messages.get({ inbox_id: inbox.id, message_id: id });
  /** Returns the effects of a report. */
  const effects = async () => {
    const { storage } = service.letterslot.services;
    const events = await storage.find("events", {
      where: { account_id: account.account_id },
      order: { by: "sequence", direction: "asc" },
      limit: 200,
    });
    const { bounced, complained } = await as.metrics.rates({});
    return {
      labelled: (await message()).labels.filter((label) => label === "bounced" || label === "complained"),
      suppressed: (await as.suppressions.list({})).data.map(({ address }) => address),
      events: events.map(({ type }) => type).filter((type) => /bounced|complained/.test(type)),
      counted: bounced + complained,
    };
  };
  const message_id = (await message()).message_id ?? "";
  return { service, account, as, inbox, id, path, header, raw, message_id, send, receive, message, effects };
}

const NOTHING = { labelled: [], suppressed: [], events: [], counted: 0 };
const [ada, bo] = ["ada@example.com", "bo@example.org"];
const about = (message_id: string, header = "") => `${header}\r\nMessage-ID: ${message_id}`.trim();

/** Publishes where mail for a domain goes. */
function publishHosts(service: TestService, domain: string, host: string, address: string): void {
  service.dns.set(domain, "MX", [{ exchange: host, priority: 10 }]);
  service.dns.set(host, "A", [address]);
}

describe("a forged bounce changes nothing but the list of delivery events", () => {
  test.each([
    ["from a stranger's host", {}, "mailer-daemon@evil.test"],
    ["from a person", { mail_from: "mallory@evil.test", facts: signedBy("evil.test") }, "mallory@evil.test"],
    ["with a valid signature of the provider", { facts: signedBy("gmail.com") }, "mailer-daemon@gmail.com"],
    ["that says it is the recipient's own host", { helo: "mx.example.com" }, "mailer-daemon@mx.example.com"],
    ["from the host of the other recipient", { ip: "198.51.100.2" }, "mailer-daemon@mx.example.org"],
    [
      "from the recipient's host, but with a return path",
      { ip: "198.51.100.1", mail_from: "x@example.com" },
      "mailer-daemon@mx.example.com",
    ],
  ])("to the real return path, %s", async (_, from, author) => {
    const all = await sent([ada, bo]);
    publishHosts(all.service, "example.com", "mx.example.com", "198.51.100.1");
    publishHosts(all.service, "example.org", "mx.example.org", "198.51.100.2");
    const report = notification(author, all.path, [ada], about(all.message_id));
    expect(await all.receive(report, all.path, from)).toMatchObject({ outcome: "recorded" });
    expect(await all.effects()).toEqual(NOTHING);
    expect((await all.message()).delivery_events.at(-1)).toMatchObject({
      type: "bounced",
      recipient: ada,
      unproven: true,
    });
  });

  test("while the DNS is in trouble", async () => {
    const all = await sent([ada, bo]);
    all.service.dns.fail("example.com", "ESERVFAIL");
    await all.receive(notification("x@y.test", all.path, [ada], ""), all.path, { ip: "198.51.100.1" });
    expect(await all.effects()).toEqual(NOTHING);
  });

  test.each(["to the inbox's own address", "to the reserved address"])(
    "matched by its Message-ID, %s",
    async (to) => {
      // The relay itself, so that only the missing path keeps it from counting.
      const all = await sent([ada], ["192.0.2.66"]);
      const at = to.endsWith("own address") ? all.inbox.email : "bounce@letterslot.localhost";
      await all.receive(
        notification("mailer-daemon@x.test", at, [ada], about(all.message_id, all.header)),
        at,
      );
      expect(await all.effects()).toEqual(NOTHING);
      expect((await all.message()).delivery_events.at(-1)).toMatchObject({ type: "bounced", unproven: true });
    },
  );

  test("about somebody who was no recipient, also from their own host", async () => {
    const all = await sent([ada, bo]);
    publishHosts(all.service, "evil.test", "mx.evil.test", "192.0.2.66");
    await all.receive(notification("d@evil.test", all.path, ["eve@evil.test"], ""), all.path);
    expect(await all.effects()).toEqual(NOTHING);
    expect((await all.message()).delivery_events.filter(({ type }) => type === "bounced")).toEqual([]);
  });
});

describe("the return path", () => {
  test.each<[string, (all: Awaited<ReturnType<typeof sent>>) => string]>([
    ["made of the Message-ID", ({ id }) => `bounce+${id}@letterslot.localhost`],
    ["with a guessed MAC", ({ id }) => `bounce+${id.slice(4, -1)}0123456789@letterslot.localhost`],
    ["of the header", ({ header }) => `bounce+${header.split(": ")[1]}@letterslot.localhost`],
    ["at another domain", ({ path }) => path.replace("letterslot.localhost", "elsewhere.test")],
    [
      "with the MAC of another domain",
      ({ service, id }) =>
        returnPathOf(service.letterslot.services, id, "elsewhere.test").replace(
          "elsewhere.test",
          "letterslot.localhost",
        ),
    ],
    [
      "of another message with the same MAC",
      ({ path, id }) => path.replace(id.slice(4, 23), "0000000000000000000"),
    ],
  ])("%s is unknown", async (_, pathOf) => {
    const all = await sent([ada]);
    const path = pathOf(all);
    expect(await acceptsRecipient(all.service.letterslot.services, path)).toBe("unknown");
    expect(await all.receive(notification("d@x.test", path, [ada], ""), path)).toMatchObject({
      outcome: "refused",
      reason: "unknown_recipient",
    });
    expect(await all.effects()).toEqual(NOTHING);
  });

  test("is read in any case, and made with an older key", async () => {
    const keys = [1, 2].map((fill) => new Uint8Array(32).fill(fill));
    const before = createTestService({ encryptionKeys: keys.slice(0, 1) });
    const { as, inbox } = await before.signUp();
    await as.messages.send({ inbox_id: inbox.id, to: [ada], text: "Hi" });
    await before.work();
    const path = before.transport.sent[0]?.envelope.mail_from ?? "";
    const { storage } = before.letterslot.services;
    const after = createTestService({ storage, encryptionKeys: keys.toReversed() });
    for (const written of [path, path.toUpperCase()])
      expect(await acceptsRecipient(after.letterslot.services, written)).toBe("ok");
    const stranger = createTestService({ storage, encryptionKeys: keys.slice(1) });
    expect(await acceptsRecipient(stranger.letterslot.services, path)).toBe("unknown");
  });

  test("of the form before the upgrade is read for seven days, and proves nothing by itself", async () => {
    const all = await sent([ada], ["203.0.113.9"]);
    const { services } = all.service.letterslot;
    const old = `bounce+${all.id}@letterslot.localhost`;
    const until = new Date(all.service.clock.now().getTime() + 7 * dayMs + 1_000);
    await services.storage.insert("counters", {
      name: EARLIER_PATHS,
      count: 0,
      expires_at: until.toISOString(),
    });
    expect(await acceptsRecipient(services, old)).toBe("ok");
    await all.receive(notification("d@x.test", old, [ada], ""), old);
    expect(await all.effects()).toEqual(NOTHING);
    await all.receive(notification("d@x.test", old, [ada], ""), old, { ip: "203.0.113.9" });
    expect((await all.effects()).suppressed).toEqual([ada]);

    // Mail that was sent after it has a path of the new form.
    await all.service.clock.advance(2_000);
    const later = await all.send([ada]).catch(() => all.send([bo]));
    expect(await acceptsRecipient(services, `bounce+${later}@letterslot.localhost`)).toBe("unknown");
    await all.service.clock.advance(7 * dayMs);
    expect(await acceptsRecipient(services, old)).toBe("unknown");
  });

  test("and the header are in nothing that a key reads", async () => {
    const all = await sent([ada]);
    const { as, inbox, id, path, header } = all;
    expect(header).toMatch(/^X-Svc-Report: [0-9a-hjkmnp-tv-z]{29}$/);
    const quoting = "eve@evil.test";
    all.service.transport.refuse(quoting, "permanent_failure", `550 <${path}> rejected; ${header}`);
    const failed = await all.send([quoting]);
    await all.receive(notification("d@x.test", path, [ada], ""), path);
    const { storage } = all.service.letterslot.services;
    const seen = JSON.stringify([
      await as.messages.get({ inbox_id: inbox.id, message_id: id }),
      await as.messages.get({ inbox_id: inbox.id, message_id: failed }),
      Buffer.from((await as.messages.raw({ inbox_id: inbox.id, message_id: id })).bytes).toString(),
      await as.messages.explain({ inbox_id: inbox.id, message_id: id }),
      await storage.find("events", {
        where: { account_id: all.account.account_id },
        order: { by: "sequence", direction: "asc" },
        limit: 100,
      }),
    ]);
    for (const secret of [path.split("@")[0] ?? "", header.split(": ")[1] ?? ""])
      expect(seen).not.toContain(secret);
    expect(seen).toContain("rejected");
  });

  test("isn't on mail that stays in the service", async () => {
    const all = await sent([ada]);
    const other = await all.as.inboxes.create({});
    await all.send([other.email]);
    const [received] = (await all.as.messages.list({ inbox_id: other.id, direction: "inbound" })).data;
    const raw = await all.as.messages.raw({ inbox_id: other.id, message_id: received?.id ?? "" });
    expect(Buffer.from(raw.bytes).toString()).not.toContain("X-Svc-Report");
  });
});

describe("a report of somebody who can tell", () => {
  test("by a host of the recipient's domain counts for that recipient alone", async () => {
    const all = await sent([ada, bo]);
    publishHosts(all.service, "example.com", "mx.example.com", "198.51.100.1");
    publishHosts(all.service, "example.org", "mx.example.org", "198.51.100.2");
    await all.receive(notification("d@mx.example.com", all.path, [ada, bo], ""), all.path, {
      ip: "198.51.100.1",
    });
    expect(await all.effects()).toMatchObject({ suppressed: [ada], events: ["message.bounced"], counted: 1 });
    const bounced = (await all.message()).delivery_events.filter(({ type }) => type === "bounced");
    expect(bounced.map(({ recipient, unproven }) => [recipient, unproven])).toEqual([
      [ada, undefined],
      [bo, true],
    ]);
  });

  test("counts after a forged one, and once", async () => {
    const all = await sent([ada, bo], ["203.0.113.9"]);
    const report = () => notification("d@x.test", all.path, [ada], "");
    await all.receive(report(), all.path);
    for (const _ of [1, 2, 3]) await all.receive(report(), all.path, { ip: "203.0.113.9" });
    await all.receive(report(), all.path);
    expect(await all.effects()).toEqual({
      labelled: ["bounced"],
      suppressed: [ada],
      events: ["message.bounced"],
      counted: 1,
    });
    // Replayed after a key has lifted it, it doesn't suppress again.
    await all.as.suppressions.delete({ address: ada });
    await all.receive(report(), all.path, { ip: "203.0.113.9" });
    expect((await all.effects()).suppressed).toEqual([]);
  });

  test("about the only recipient suppresses, and never counts", async () => {
    const all = await sent([ada]);
    await all.receive(notification("d@x.test", all.path, [ada], ""), all.path);
    expect(await all.effects()).toEqual({
      labelled: ["bounced"],
      suppressed: [ada],
      events: ["message.bounced"],
      counted: 0,
    });
  });

  test("in the dialogue of the recipient's own host is a bounce, and of a relay is none", async () => {
    const all = await sent([ada]);
    all.service.transport.refuse(
      "gone@example.net",
      "permanent_failure",
      "550 5.1.1 no such user",
      "recipient_host",
    );
    all.service.transport.refuse("gone@example.org", "permanent_failure", "550 5.1.1 no such user");
    const id = await all.send(["gone@example.net", "gone@example.org"]);
    expect(await all.effects()).toMatchObject({
      suppressed: ["gone@example.net"],
      events: ["message.bounced"],
      counted: 2,
    });
    const message = await all.as.messages.get({ inbox_id: all.inbox.id, message_id: id });
    expect(message).toMatchObject({ status: "failed", labels: expect.arrayContaining(["bounced"]) });
  });

  test("counts once a day and organisation", async () => {
    const all = await sent([ada], ["203.0.113.9"]);
    const bounce = async (to: string) => {
      await all.send([to]);
      const path = all.service.transport.sent.at(-1)?.envelope.mail_from ?? "";
      await all.receive(notification("d@x.test", path, [to], ""), path, { ip: "203.0.113.9" });
    };
    for (const to of ["a@example.com", "b@example.com", "c@mail.example.com", "d@example.net"])
      await bounce(to);
    expect((await all.effects()).counted).toBe(2);
    await all.service.clock.advance(dayMs);
    await bounce("e@example.com");
    expect((await all.effects()).counted).toBe(3);
  });
});

describe("a complaint", () => {
  const yahoo = { facts: signedBy("arf.mail.yahoo.com"), mail_from: "feedback@arf.mail.yahoo.com" };
  const author = "feedback@arf.mail.yahoo.com";

  test.each(["bounce@letterslot.localhost", "abuse@letterslot.localhost", "the path"])(
    "of a feedback loop to %s counts",
    async (to) => {
      const all = await sent([ada, bo]);
      const at = to === "the path" ? all.path : to;
      expect(
        await all.receive(complaint(author, at, ada, about("<rewritten@relay.test>", all.header)), at, yahoo),
      ).toMatchObject({ outcome: "recorded" });
      expect(await all.effects()).toEqual({
        labelled: ["complained"],
        suppressed: [ada],
        events: ["message.complained"],
        counted: 1,
      });
      expect((await all.as.suppressions.list({})).data).toMatchObject([{ made_by: "complaint" }]);
    },
  );

  test.each<[string, (all: Awaited<ReturnType<typeof sent>>) => string]>([
    ["by Message-ID alone", ({ message_id }) => about(message_id)],
    [
      "with a header that somebody made up",
      ({ message_id, id }) => about(message_id, `X-Svc-Report: ${id.slice(4, -1)}0123456789`),
    ],
    [
      "with the word of the return path as its header",
      ({ message_id, path }) => about(message_id, `X-Svc-Report: ${path.slice(7, 36)}`),
    ],
  ])("of a feedback loop %s changes nothing", async (_, originalOf) => {
    const all = await sent([ada, bo]);
    const at = "abuse@letterslot.localhost";
    await all.receive(complaint(author, at, ada, originalOf(all)), at, yahoo);
    expect(await all.effects()).toEqual(NOTHING);
  });

  test("of a stranger with the header changes nothing, but of the only recipient it suppresses", async () => {
    const all = await sent([ada, bo]);
    const at = "abuse@letterslot.localhost";
    await all.receive(complaint("d@evil.test", at, ada, about(all.message_id, all.header)), at);
    expect(await all.effects()).toEqual(NOTHING);
    const single = await sent([ada]);
    await single.receive(complaint("d@evil.test", at, ada, about(single.message_id, single.header)), at);
    expect(await single.effects()).toMatchObject({ suppressed: [ada], counted: 0 });
  });

  test("of a feedback loop to abuse@ of a custom domain counts for mail of its own account", async () => {
    const all = await sent([ada, bo]);
    const { account_id } = all.account;
    await provenDomain(all.service.letterslot.services, account_id, { domain: "firm.test" });
    await all.service.addOwner(all.account, "olga@owner.example");
    const letters = all.service.transport.sent.length;
    const at = "abuse@firm.test";
    const raw = complaint(author, at, ada, about("<rewritten@relay.test>", all.header));
    expect(await all.receive(raw, at, yahoo)).toMatchObject({ outcome: "recorded" });
    expect(await all.effects()).toMatchObject({ labelled: ["complained"], suppressed: [ada], counted: 1 });
    // It is recorded, and not passed on as a letter too.
    expect(all.service.transport.sent).toHaveLength(letters);
  });

  test("to abuse@ of another account's domain changes nothing, and goes to whoever has charge there", async () => {
    const all = await sent([ada, bo]);
    const eve = await all.service.signUp("eve");
    await provenDomain(all.service.letterslot.services, eve.account_id, { domain: "evil.test" });
    await all.service.addOwner(eve, "mallory@owner.example");
    const at = "abuse@evil.test";
    await all.receive(complaint(author, at, ada, about("<x@relay.test>", all.header)), at, yahoo);
    expect(await all.effects()).toEqual(NOTHING);
    expect(all.service.transport.sent.at(-1)?.envelope.rcpt_to).toEqual(["mallory@owner.example"]);
  });

  test("to abuse@ that nothing ties to a mail is the operator's to read, and counts for nobody", async () => {
    const all = await sent([ada]);
    const at = "abuse@letterslot.localhost";
    expect(
      await all.receive(complaint(author, at, ada, about("<made-up@letterslot.localhost>")), at, yahoo),
    ).toMatchObject({ outcome: "recorded", message_id: null });
    expect((await all.as.suppressions.list({})).data).toEqual([]);
  });

  test("that is forged doesn't pause an account of 55 sends, nor do many", async () => {
    const all = await sent([ada]);
    const at = "bounce@letterslot.localhost";
    for (let sends = 0; sends < 54; sends++) await all.send([`r${sends}@d${sends}.test`]);
    const mails = all.service.transport.sent.slice(-7);
    for (const { raw, envelope } of mails) {
      const [to = ""] = envelope.rcpt_to;
      const header = /^X-Svc-Report: \S+/m.exec(Buffer.from(raw).toString())?.[0] ?? "";
      await all.receive(complaint("d@evil.test", at, to, header), at);
      await all.receive(notification("d@evil.test", envelope.mail_from, [to], ""), envelope.mail_from);
    }
    expect(await all.as.me.get({})).toMatchObject({ restrictions: [] });
    await expect(all.send(["next@example.com"])).resolves.toBeDefined();
  });
});

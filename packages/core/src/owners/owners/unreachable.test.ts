import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../testing/index.ts";
import { headerOf, lettersTo, tokensIn, withOwner } from "../../../testing/owner-mail.ts";

const grace = "grace@example.com";
const dayMs = 24 * 3600_000;

/** An owner, and how mail to them comes back. */
async function setting() {
  const all = await withOwner(createTestService());
  const { service, as, inbox, account_id } = all;
  const owner = async () => (await as.owners.list({ inbox_id: inbox.id })).data[0];
  const refuse = (said_by?: "recipient_host") =>
    service.transport.refuse(grace, "permanent_failure", "550 5.1.1 no such user", said_by);
  const bounce = async (times: number, said_by: "recipient_host" | undefined = "recipient_host") => {
    refuse(said_by);
    for (let time = 0; time < times; time++) {
      await all.report({ kind: "needs_input", title: `Question ${time}`, question: { type: "yes_no" } });
      await service.work();
    }
    service.transport.accept(grace);
  };
  const events = async () => {
    const found = await service.letterslot.services.storage.find("events", {
      where: { account_id },
      order: { by: "sequence", direction: "asc" },
      limit: 200,
    });
    return found.filter(({ type }) => type === "owner.unreachable").map(({ data }) => data);
  };
  return { ...all, owner, bounce, events };
}

describe("an owner whom mail doesn't reach", () => {
  test.each(["recipient_host", undefined] as const)(
    "is told of after three refusals on one day, by %s, and never suppressed",
    async (said_by) => {
      const { bounce, owner, events, as, owners, inbox } = await setting();
      await bounce(2, said_by);
      expect((await owner())?.unreachable_since).toBeNull();
      expect(await as.me.get({})).not.toHaveProperty("unreachable_owners");
      await bounce(2, said_by);
      const since = (await owner())?.unreachable_since;
      expect(since).toEqual(expect.any(String));
      const told = { owner_id: owners[0], inbox_id: inbox.id, email: grace };
      expect(await events()).toEqual([{ ...told, unreachable_since: since }]);
      expect((await as.me.get({})).unreachable_owners).toEqual([{ ...told, since }]);
      expect((await as.suppressions.list({})).data).toEqual([]);
      await expect(as.messages.send({ inbox_id: inbox.id, to: [grace], text: "Hi" })).resolves.toBeDefined();
    },
  );

  test("isn't by what strangers report, however often", async () => {
    const { report, service, owner, events } = await setting();
    for (let time = 0; time < 4; time++) {
      await report({ title: `Step ${time}` });
      await service.work();
      const path = service.transport.sent.at(-1)?.envelope.mail_from ?? "";
      const raw = `From: d@evil.test\r\nSubject: failure notice\r\n\r\n<${grace}>:\r\n550 5.1.1 no such user\r\n`;
      await service.receiveRaw(new TextEncoder().encode(raw), path, "", forgedFrom("evil.test"));
    }
    expect((await owner())?.unreachable_since).toBeNull();
    expect(await events()).toEqual([]);
  });

  test("gets updates once a week, and questions, sign-in letters and approvals at once", async () => {
    const { bounce, report, service, as, inbox } = await setting();
    await bounce(3);
    const before = lettersTo(service, grace).length;
    const newest = () => headerOf(lettersTo(service, grace).at(-1), "Subject");
    expect((await report({ title: "Booked" })).deliveries).toMatchObject([
      { mode: "digest", status: "queued", reason: "owner_unreachable" },
    ]);
    for (let day = 0; day < 6; day++) {
      await service.clock.advance(dayMs);
      await service.work();
    }
    expect(lettersTo(service, grace)).toHaveLength(before);
    await report({ kind: "needs_input", title: "Which one", question: { type: "yes_no" } });
    await service.work();
    expect(newest()).toContain("Which one");
    await service.letterslot.as({ type: "public", ip: "203.0.113.9" }).sessions.start({ email: grace });
    await service.work();
    expect(lettersTo(service, grace)).toHaveLength(before + 2);
    await as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
    await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.org"], text: "42 euros" });
    await service.work();
    expect(lettersTo(service, grace)).toHaveLength(before + 3);
    for (let day = 0; day < 2; day++) {
      await service.clock.advance(dayMs);
      await service.work();
    }
    expect(newest()).toContain("Booked");
  });

  const ways: Record<string, (all: Awaited<ReturnType<typeof setting>>) => Promise<unknown>> = {
    "signs in": async ({ service }) => {
      const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
      const { challenge } = await publicly.sessions.start({ email: grace });
      await service.work();
      await publicly.sessions.create({ challenge, email: grace, code: service.codeFor(grace) });
    },
    "writes to the inbox": ({ service, inbox }) =>
      service.receive({ from: grace, to: inbox.email, text: "Do it" }),
    "follows a letter's link": async ({ service, report }) => {
      await report({ kind: "needs_input", title: "Now", question: { type: "yes_no" } });
      await service.work();
      const [token = ""] = tokensIn(lettersTo(service, grace).at(-1) ?? "", "answer");
      await service.letterslot.as({ type: "public", ip: "203.0.113.9" }).questions.review({ token });
    },
  };
  test.each(Object.entries(ways))("is reached again when they: %s", async (_, act) => {
    const all = await setting();
    await all.bounce(3);
    expect((await all.owner())?.unreachable_since).not.toBeNull();
    await act(all);
    expect((await all.owner())?.unreachable_since).toBeNull();
    // It takes three anew.
    await all.bounce(2);
    expect((await all.owner())?.unreachable_since).toBeNull();
  });

  /** A report that the newest letter arrived after all, to its return path. */
  async function reportDelivered({ service, report }: Awaited<ReturnType<typeof setting>>, ip: string) {
    await report({ kind: "needs_input", title: "Now", question: { type: "yes_no" } });
    await service.work();
    const path = service.transport.sent.at(-1)?.envelope.mail_from ?? "";
    const raw = [
      `From: d@mx.example.com\r\nTo: ${path}\r\nSubject: Report\r\nMIME-Version: 1.0`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "\r\n--b\r\nContent-Type: text/plain\r\n\r\nIt arrived.",
      "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n",
      `Final-Recipient: rfc822; ${grace}\r\nAction: delivered\r\nStatus: 2.0.0\r\n`,
      "--b--\r\n",
    ].join("\r\n");
    const envelope = { mail_from: "", rcpt_to: [path], client_ip: ip, helo: "mx.example.com" };
    return service.letterslot.receive({ raw: new TextEncoder().encode(raw), envelope, origin: "smtp" });
  }

  test("is reached again when a host of theirs reports that a letter was delivered", async () => {
    const all = await setting();
    all.service.dns.set("example.com", "MX", [{ exchange: "mx.example.com", priority: 10 }]);
    all.service.dns.set("mx.example.com", "A", ["192.0.2.1"]);
    await all.bounce(3);
    expect((await all.owner())?.unreachable_since).not.toBeNull();
    expect((await reportDelivered(all, "192.0.2.1")).results).toMatchObject([{ outcome: "recorded" }]);
    expect((await all.owner())?.unreachable_since).toBeNull();
    expect(await all.as.me.get({})).not.toHaveProperty("unreachable_owners");
  });

  test("isn't reached again by mail that only claims to be theirs", async () => {
    const all = await setting();
    await all.bounce(3);
    await all.service.receive({ from: grace, to: all.inbox.email, text: "Do it" }, forgedFrom("example.com"));
    expect((await all.owner())?.unreachable_since).not.toBeNull();
  });
});

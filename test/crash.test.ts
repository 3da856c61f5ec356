import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_SEED, PROOF_TIMEOUT_MS } from "./support/case-count.ts";
import { audit, parseEvents, waitForEffects } from "./support/crash-audit.ts";
import { startLoad } from "./support/crash-load.ts";
import { sendHalfMail, sendHalfPatch } from "./support/half-sent.ts";
import { createProgress } from "./support/progress.ts";
import { seeded } from "./support/seeded.ts";
import { startServerWorld } from "./support/server-world.ts";
import { until, untilNoneLeft } from "./support/until.ts";

const kills = casesOf(3, caseCount(5, 50));

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

async function startWorld() {
  const world = await startServerWorld();
  running.push(world.close);
  return world;
}

describe("a server that is killed repeatedly", () => {
  test("loses, duplicates and tears nothing that it acknowledged", {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    const { domain, sink, receiver, home, owner, address, onboard } = await startWorld();
    const random = seeded(PROOF_SEED);
    let server = await home.start();
    running.push(() => server.end("SIGKILL"));
    const { client, reader, inbox_id } = await onboard();
    const { id: webhook_id } = await client.webhooks.create({ url: receiver.url });
    const target = { client, inbox_id, address, smtp_port: home.smtp_port, owner, domain, random };
    const { promised, answered, untilAnswered, stop, hangUp } = startLoad(target, { mailers: 8, agents: 3 });

    const told = createProgress("kills", kills);
    for (let kill = 1; kill <= kills; kill++) {
      // Every third server is killed while it starts.
      if (kill % 3 === 0) {
        await after(random() * 1_200);
      } else {
        await untilAnswered(answered() + 20 + Math.floor(random() * casesOf(30, 70))).catch(
          (error: Error) => {
            throw new Error(`${error.message}; the server's troubles:\n${server.troubles()}`);
          },
        );
        await after(random() * 40);
      }
      expect(await server.end("SIGKILL")).toBe("SIGKILL");
      server = kill % 3 === 2 ? home.launch() : await home.start();
      told();
    }
    await stop();
    expect(promised.refused).toEqual([]);

    const found = await waitForEffects({
      client: reader,
      inbox_id,
      promised,
      arrived: sink.arrived,
      delivered: receiver.delivered,
    });
    await hangUp();
    // A delivery that the receiver got may not be recorded yet, or may be repeated.
    const unnoted = () => reader.webhooks.deliveries({ webhook_id, status: "pending", limit: 200 });
    await untilNoneLeft("deliveries to be noted", async () => (await unnoted()).data.length);
    const report = audit({ promised, arrived: sink.arrived, delivered: receiver.delivered, ...found });
    console.log(
      `  seed ${PROOF_SEED}, ${kills} kills: ${promised.mails.size} mails and ${promised.replies.size} replies acknowledged, ` +
        `${report.lost.length} lost, ${report.doubled.length} doubled, ${report.torn.length} torn ` +
        `(${report.twice} replies arrived twice, ${report.marked} are marked as possibly repeated)`,
    );
    expect({ ...report, missed: found.missed }).toMatchObject({
      lost: [],
      doubled: [],
      torn: [],
      missed: [],
    });
    for (const { id, attachments } of found.inbound.filter((message) => message.attachments.length > 0)) {
      const { bytes } = await client.attachments.get({
        inbox_id,
        message_id: id,
        attachment_id: attachments[0]?.id ?? "",
      });
      expect(bytes.byteLength).toBe(attachments[0]?.size_bytes);
    }

    expect(await server.end("SIGTERM")).toBe(0);
    const database = new DatabaseSync(join(home.data_dir, "letterslot.db"));
    running.push(() => database.close());
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(database.prepare("SELECT kind, due_at, attempts FROM jobs").all()).toEqual([]);
  });
});

describe("a server that is killed at the worst moment", { timeout: 90_000 }, () => {
  test("resends a mail at once if it missed the acceptance, with the same Message-ID, and marks it", async () => {
    const { sink, home, onboard } = await startWorld();
    let server = await home.start();
    running.push(() => server.end("SIGKILL"));
    const { client, inbox_id } = await onboard();
    sink.silent = true;
    const { id } = await client.messages.send({
      inbox_id,
      to: ["mara@family.example.com"],
      subject: "Hello",
      text: "Hello.",
    });
    await until("the mail to arrive", () => sink.arrived.length === 2);
    await server.end("SIGKILL");
    sink.silent = false;
    server = await home.start();
    const message = await until("the mail to be sent", async () => {
      const found = await client.messages.get({ inbox_id, message_id: id });
      return found.status === "sent" && found;
    });
    expect(message.delivery_events).toMatchObject([{ type: "possibly_repeated" }, { type: "sent" }]);
    expect(sink.arrived.slice(1).map(({ message_id }) => message_id)).toEqual([
      message.message_id,
      message.message_id,
    ]);
  });

  test("redelivers an event with the same delivery id", async () => {
    const { receiver, home, onboard } = await startWorld();
    let server = await home.start();
    running.push(() => server.end("SIGKILL"));
    const { client, inbox_id } = await onboard();
    await client.webhooks.create({ url: receiver.url, events: ["message.received"] });
    receiver.silent = true;
    await client.messages.inject({ inbox_id, from: "mara@family.example.com", text: "Hello." });
    await until("the delivery to arrive", () => receiver.delivered.length === 1);
    await server.end("SIGKILL");
    receiver.silent = false;
    server = await home.start();
    await until("the delivery to arrive again", () => receiver.delivered.length === 2);
    const [first, second] = parseEvents(receiver.delivered);
    expect(second).toEqual(first);
  });
});

describe("a folder and its one server", { timeout: 90_000 }, () => {
  test("a second server is refused with a reason until the first has ended, however it ended", async () => {
    const { home } = await startWorld();
    const first = await home.start();
    running.push(() => first.end("SIGKILL"));
    const second = home.launch({ PORT: "0", SMTP_PORT: "0" });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `${home.data_dir} is in use by another Letterslot (process ${first.pid}).`,
    );
    expect((await fetch(`${home.base_url}/readyz`)).status).toBe(200);
    await first.end("SIGKILL");
    const third = await home.start();
    expect(await third.end("SIGTERM")).toBe(0);
  });

  test("SIGTERM lets requests and mails in progress finish, and then the process exits with 0", async () => {
    const { domain, home, owner, address, onboard } = await startWorld();
    const first = await home.start();
    running.push(() => first.end("SIGKILL"));
    const { client, inbox_id, api_key } = await onboard();
    const waiting = client.tasks.list({ wait: 25 });
    const patch = await sendHalfPatch(`${home.base_url}/api/v1/inboxes/${inbox_id}`, api_key, {
      display_name: "Ada the agent",
    });
    const mail = await domain.sign({
      from: owner,
      to: address,
      subject: "Under way",
      text: "Hello.",
      message_id: "<under-way@family.example.com>",
    });
    const smtp = await sendHalfMail(home.smtp_port, { raw: mail, from: owner, to: address });

    const ended = first.end("SIGTERM");
    await until("the server to hear the signal", () => first.output().includes("stopping"));
    expect(await patch.finish()).toBe(200);
    expect(await smtp.finish()).toMatch(/^250 /);
    expect((await waiting).data.length).toBeLessThanOrEqual(1);
    expect(await ended).toBe(0);

    const second = await home.start();
    running.push(() => second.end("SIGKILL"));
    expect((await client.inboxes.get({ inbox_id })).display_name).toBe("Ada the agent");
    expect((await client.messages.list({ inbox_id, direction: "inbound" })).data).toMatchObject([
      { subject: "Under way" },
    ]);
    expect((await client.tasks.list({ inbox_id })).data).toMatchObject([{ subject: "Under way" }]);
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { audit, waitForEffects } from "../support/crash-audit.ts";
import { startLoad } from "../support/crash-load.ts";
import { cuttableFolder, cuttablePostgres } from "../support/cuttable-storage.ts";
import { createProgress } from "../support/progress.ts";
import { seeded } from "../support/seeded.ts";
import { startServerWorld } from "../support/server-world.ts";

const sqlite = { name: "SQLite", make: cuttableFolder, cuts: casesOf(2, caseCount(3, 50)) };
const postgres = { name: "PostgreSQL", make: cuttablePostgres, cuts: 20 };
/** After each power cut of PostgreSQL, leases have to expire. */
const storages = caseCount([sqlite], [sqlite, postgres]);
const TIMEOUT_MS = 120_000;

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

describe.each(storages)("a server on $name that loses power repeatedly", ({ make, cuts }) => {
  test("loses, duplicates and tears nothing that it acknowledged", {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    const random = seeded(PROOF_SEED);
    const storage = await make(random);
    running.push(storage.remove);
    const world = await startServerWorld(storage.environment);
    running.push(world.close);
    const { domain, sink, receiver, home, owner, address } = world;
    let server = await home.start();
    running.push(() => server.end("SIGKILL"));
    const { client, reader, inbox_id } = await world.onboard();
    await client.webhooks.create({ url: receiver.url });
    const target = { client, inbox_id, address, smtp_port: home.smtp_port, owner, domain, random };
    const { promised, answered, untilAnswered, stop, hangUp } = startLoad(target, { mailers: 8, agents: 3 });

    const told = createProgress("power cuts", cuts);
    const unsynced = { writes: 0, names: 0 };
    for (let cut = 1; cut <= cuts; cut++) {
      await untilAnswered(answered() + 10 + Math.floor(random() * 40)).catch((error: Error) => {
        throw new Error(`${error.message}; the server's troubles:\n${server.troubles()}`);
      });
      expect(await server.end("SIGKILL")).toBe("SIGKILL");
      const { writes, names } = await storage.cut();
      unsynced.writes += writes;
      unsynced.names += names;
      server = await home.start();
      told();
    }
    await stop();
    expect(promised.refused).toEqual([]);

    const outside = { promised, arrived: sink.arrived, delivered: receiver.delivered };
    const found = await waitForEffects({ client: reader, inbox_id, ...outside, within_ms: TIMEOUT_MS });
    await hangUp();
    const report = audit({ ...outside, ...found });
    console.log(
      `  seed ${PROOF_SEED}, ${cuts} power cuts with ${unsynced.writes} writes and ${unsynced.names} names unsynced: ` +
        `${promised.mails.size} mails and ${promised.replies.size} replies acknowledged, ` +
        `${report.lost.length} lost, ${report.doubled.length} doubled, ${report.torn.length} torn ` +
        `(${report.twice} replies arrived twice, ${report.marked} are marked as possibly repeated)`,
    );
    expect({ ...report, missed: found.missed }).toMatchObject({
      lost: [],
      doubled: [],
      torn: [],
      missed: [],
    });
    for (const { id, attachments } of found.inbound) {
      for (const attachment of attachments) {
        const { bytes } = await client.attachments.get({
          inbox_id,
          message_id: id,
          attachment_id: attachment.id,
        });
        expect(bytes.byteLength).toBe(attachment.size_bytes);
      }
    }

    expect(await server.end("SIGTERM")).toBe(0);
    expect(await storage.findDamage()).toEqual([]);
    await storage.rest();
    expect(storage.disk.findUnnoted()).toEqual([]);
  });
});

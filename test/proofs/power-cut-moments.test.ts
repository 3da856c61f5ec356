import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseCount, proofSeed } from "../support/case-count.ts";
import { startLoad } from "../support/crash-load.ts";
import { type CuttableDisk, cuttableDisk, type DiskFault } from "../support/cuttable-disk.ts";
import { seeded } from "../support/seeded.ts";
import { startServerWorld } from "../support/server-world.ts";
import { auditFolder, type StoredAudit } from "../support/stored-audit.ts";
import type { DiskNature } from "../support/unsynced-disk.ts";
import { until } from "../support/until.ts";

const moments = caseCount(25, 400);
const answers = caseCount(60, 200);
const timeout = caseCount(300_000, 3_600_000);

const disks: { name: string; fault?: DiskFault }[] = [
  { name: "a disk" },
  { name: "a failing disk", fault: { syncs: "EIO", every: 7 } },
];

describe.each(disks)("$name of a server under load, had its power been cut at any moment", ({ fault }) => {
  const random = seeded(proofSeed);
  /** What was answered, and how far the journal had come by then. */
  const acknowledged: { id: string; moment: number }[] = [];
  const closing: (() => unknown)[] = [];
  let disk: CuttableDisk;

  beforeAll(async () => {
    disk = cuttableDisk(random);
    closing.push(() => disk.remove());
    const world = await startServerWorld({ ...disk.environment, DATA_DIR: join(disk.folder, "data") });
    closing.push(world.close);
    const server = await world.home.start();
    closing.push(() => server.end("SIGKILL"));
    const { client, inbox_id } = await world.onboard();
    const note = (id: string) => void acknowledged.push({ id, moment: disk.moment() });
    const { owner, address, domain } = world;
    const target = { client, inbox_id, address, smtp_port: world.home.smtp_port, owner, domain, random, acknowledged: note };
    disk.fault(fault);
    const { promised, stop, hangUp } = startLoad(target, { mailers: 8, agents: 3 });
    await until("answers", () => acknowledged.length >= answers || promised.refused.length > 0, timeout);
    disk.fault();
    await stop();
    await hangUp();
    if (promised.refused.length > 0) throw new Error(promised.refused.join("\n"));
    await server.end("SIGTERM");
  }, timeout);
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  /** What a power cut leaves of all that was answered for before. */
  async function auditAt(moment: number, nature: DiskNature): Promise<StoredAudit> {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-cut-"));
    try {
      disk.leave(moment, folder, nature);
      const due = acknowledged.filter((answer) => answer.moment <= moment).map(({ id }) => id);
      return await auditFolder(join(folder, "data"), due);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test("the journal has seen every change", () => {
    expect(disk.unnoted()).toEqual([]);
  });

  test("has all that was answered for, once and whole", { timeout }, async () => {
    const end = disk.moment();
    for (let count = 0; count < moments; count++) {
      const moment = Math.ceil(random() * end);
      const audit = await auditAt(moment, { random });
      expect(audit, `seed ${proofSeed}, moment ${moment}`).toEqual({ lost: [], doubled: [], torn: [] });
    }
    console.log(`  seed ${proofSeed}, ${moments} moments: ${acknowledged.length} acknowledged, 0 lost, 0 doubled, 0 torn`);
  });

  test.each(fault === undefined ? (["file", "folder"] as const) : [])(
    "would have lost some, had the server not synced each %s",
    async (kind) => {
      const { lost } = await auditAt(disk.moment(), { random: () => 0, obeys: (synced) => synced !== kind });
      expect(lost.length).toBeGreaterThan(0);
    },
  );
});

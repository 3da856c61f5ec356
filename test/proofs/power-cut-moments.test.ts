import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_SEED } from "../support/case-count.ts";
import { startLoad } from "../support/crash-load.ts";
import type { DiskFault } from "../support/cuttable-disk.ts";
import { type CuttableStorage, cuttableFolder, cuttablePostgres } from "../support/cuttable-storage.ts";
import { seeded } from "../support/seeded.ts";
import { startServerWorld } from "../support/server-world.ts";
import type { DiskNature } from "../support/unsynced-disk.ts";
import { until } from "../support/until.ts";

const answers = caseCount(30, 200);
const timeout = caseCount(300_000, 3_600_000);

interface Disk {
  name: string;
  make: typeof cuttableFolder;
  moments: number;
  fault?: DiskFault;
  /** The kinds of syncs that each control ignores. */
  controls: ("file" | "folder")[][];
}
const all: Disk[] = [
  {
    name: "a disk",
    make: cuttableFolder,
    moments: casesOf(6, caseCount(12, 400)),
    controls: [["file"], ["folder"]],
  },
  {
    name: "a failing disk",
    make: cuttableFolder,
    moments: caseCount(12, 400),
    fault: { syncs: "EIO", every: 7 },
    controls: [],
  },
  // Each moment starts another PostgreSQL, which would not start at all with only one kind of sync.
  {
    name: "the disk of a PostgreSQL",
    make: cuttablePostgres,
    moments: caseCount(3, 100),
    controls: [["file", "folder"]],
  },
];

/** In the gate a disk that fails is that of failing-sync.test.ts; a PostgreSQL would start for each moment. */
const disks = casesOf(all.slice(0, 1), all);

describe.each(disks)(
  "$name of a server under load, had its power been cut at any moment",
  ({ make, moments, fault, controls }) => {
    const random = seeded(PROOF_SEED);
    /** The acknowledgements, with the journal's position at that moment. */
    const acknowledged: { id: string; moment: number }[] = [];
    const closing: (() => unknown)[] = [];
    let storage: CuttableStorage;

    beforeAll(async () => {
      storage = await make(random);
      const { disk } = storage;
      closing.push(storage.remove);
      const world = await startServerWorld(storage.environment);
      closing.push(world.close);
      const server = await world.home.start();
      closing.push(() => server.end("SIGKILL"));
      const { client, inbox_id } = await world.onboard();
      const note = (id: string) => void acknowledged.push({ id, moment: disk.moment() });
      const { owner, address, domain } = world;
      const target = {
        client,
        inbox_id,
        address,
        smtp_port: world.home.smtp_port,
        owner,
        domain,
        random,
        acknowledged: note,
      };
      disk.fault(fault);
      const { promised, stop, hangUp } = startLoad(target, { mailers: 8, agents: 3 });
      await until("answers", () => acknowledged.length >= answers || promised.refused.length > 0, timeout);
      disk.fault();
      await stop();
      await hangUp();
      if (promised.refused.length > 0) throw new Error(promised.refused.join("\n"));
      await server.end("SIGTERM");
      await storage.rest();
    }, timeout);
    afterAll(async () => {
      for (const close of closing.toReversed()) await close();
    });

    /** Checks the state that a power cut leaves of everything acknowledged before. */
    const auditAt = (moment: number, unlike?: Partial<DiskNature>) => {
      const due = acknowledged.filter((answer) => answer.moment <= moment).map(({ id }) => id);
      return storage.auditAt(moment, due, unlike);
    };

    test("the journal has recorded every change", () => {
      expect(storage.disk.findUnnoted()).toEqual([]);
    });

    test("has everything that was acknowledged, once and intact", { timeout }, async () => {
      const { made, disk } = storage;
      const end = disk.moment();
      for (let count = 0; count < moments; count++) {
        const moment = made + Math.ceil(random() * (end - made));
        const audit = await auditAt(moment);
        expect(audit, `seed ${PROOF_SEED}, moment ${moment}`).toEqual({ lost: [], doubled: [], torn: [] });
      }
      console.log(
        `  seed ${PROOF_SEED}, ${moments} moments: ${acknowledged.length} acknowledged, 0 lost, 0 doubled, 0 torn`,
      );
    });

    test.each(controls.map((ignored) => ({ ignored, named: ignored.join(" and ") })))(
      "would have lost data without syncing each $named",
      { timeout },
      async ({ ignored }) => {
        const obeys = (kind: "file" | "folder", moment: number) =>
          !ignored.includes(kind) || moment <= storage.made;
        const { lost } = await auditAt(storage.disk.moment(), { random: () => 0, obeys });
        expect(lost.length).toBeGreaterThan(0);
      },
    );
  },
);

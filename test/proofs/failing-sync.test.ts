import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_SEED } from "../support/case-count.ts";
import { cuttableDisk } from "../support/cuttable-disk.ts";
import { createWriter } from "../support/put-off.ts";
import { seeded } from "../support/seeded.ts";
import { createServerHome } from "../support/server-process.ts";
import { findDamage } from "../support/stored-audit.ts";

const TIMEOUT = 300_000;
const troubles = casesOf(["EIO"] as const, ["EIO", "ENOSPC"] as const);
const moments = casesOf(8, caseCount(25, 300));

const running: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

/** A server on a disk that keeps only synced data, with a client that writes to it. */
async function startWorld() {
  const disk = cuttableDisk({ random: () => 0 });
  running.push(() => disk.remove());
  const home = await createServerHome({ ...disk.environment, DATA_DIR: join(disk.folder, "data") });
  running.push(() => home.remove());
  let server = await home.start();
  running.push(() => server.end("SIGKILL"));
  const writer = await createWriter(home);
  return {
    disk,
    writer,
    async restart(signal: "SIGKILL" | "SIGTERM") {
      await server.end(signal);
      server = await home.start();
    },
    async cutPower() {
      await server.end("SIGKILL");
      disk.cut();
      server = await home.start();
    },
  };
}

describe("a server whose disk", () => {
  test.each(troubles)(
    "fails to sync with %s defers mail, answers writes with 503, serves reads and recovers by itself; a power cut then loses nothing",
    { timeout: TIMEOUT },
    async (syncs) => {
      const { disk, writer, cutPower } = await startWorld();
      await writer.expectAccepted();
      disk.fault({ syncs });
      await writer.expectDeferred();
      disk.fault();
      await writer.expectAccepted();
      await writer.expectStored();
      await cutPower();
      await writer.expectStored();
      await writer.expectAccepted();
    },
  );

  // In the gate the next does more: it looks at each moment of the start.
  test.runIf(casesOf(false, true))(
    "failed to sync, and that was then killed, relies only on data on disk",
    {
      timeout: TIMEOUT,
    },
    async () => {
      const { disk, writer, restart, cutPower } = await startWorld();
      await writer.expectAccepted();
      disk.fault({ syncs: "EIO" });
      expect(await writer.mail(1)).toBe(451);
      disk.fault();
      await restart("SIGKILL");
      await writer.expectAccepted();
      await cutPower();
      await writer.expectStored({ refused: "possible" });
    },
  );

  test("failed to sync, and that was then killed, may lose power at any moment of its next start", {
    timeout: TIMEOUT,
  }, async () => {
    const { disk, writer, restart } = await startWorld();
    await writer.expectAccepted();
    await restart("SIGTERM");
    // The failed commit is the second in a new log, and changes other pages than the first.
    expect(await writer.mail(1)).toBe(250);
    disk.fault({ syncs: "EIO" });
    expect((await writer.post()).status).toBe(503);
    disk.fault();
    const from = disk.moment();
    await restart("SIGKILL");
    const to = disk.moment();
    const random = seeded(PROOF_SEED);
    for (let count = 0; count < moments; count++) {
      const moment = from + Math.ceil(random() * (to - from));
      const folder = mkdtempSync(join(tmpdir(), "letterslot-cut-"));
      running.push(() => rmSync(folder, { recursive: true }));
      disk.leave(moment, folder, { random });
      expect(findDamage(join(folder, "data")), `seed ${PROOF_SEED}, moment ${moment}`).toEqual([]);
    }
  });

  test("is slow responds slowly, serves reads and loses nothing", { timeout: TIMEOUT }, async () => {
    const { disk, writer, cutPower } = await startWorld();
    await writer.expectAccepted();
    disk.fault({ milliseconds: 300 });
    const statuses = await Promise.all([
      writer.mail(),
      writer.mail(1),
      writer.mail(1),
      writer.post(),
      writer.read(),
    ]);
    expect(statuses.slice(0, 3)).toEqual([250, 250, 250]);
    expect(statuses[3]).toMatchObject({ status: 200 });
    await cutPower();
    await writer.expectStored();
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { casesOf } from "../support/case-count.ts";
import { canLimit, canMount, fileSizeLimit, fullTables, smallDisk } from "../support/full-disk.ts";
import { createWriter } from "../support/put-off.ts";
import { createServerHome } from "../support/server-process.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/**
 * A small disk needs permission to mount, a file-size limit the program prlimit: at least one of them must be
 * available.
 */
const embedded = [
  { name: "a small disk", disk: smallDisk, possible: canMount },
  { name: "a limit on the size of files", disk: fileSizeLimit, possible: canLimit },
].filter(({ possible }) => possible);
const ways = casesOf(embedded.slice(0, 1), [...embedded, { name: "PostgreSQL's tables", disk: fullTables }]);

test("this machine can simulate a full disk: run as root on Linux, or install util-linux", () => {
  expect([canMount, canLimit]).toContain(true);
});

describe.each(ways)("a server that runs out of disk space: $name", ({ disk: make }) => {
  test("defers mail, answers writes with 503, keeps serving reads, loses nothing and recovers by itself", {
    timeout: 180_000,
  }, async () => {
    const disk = await make();
    closing.push(() => disk.remove());
    const home = await createServerHome(disk.environment);
    closing.push(() => home.remove());
    const server = await home.start();
    closing.push(() => server.end("SIGKILL"));
    const writer = await createWriter(home);
    await writer.expectAccepted();
    disk.fill(server);
    await writer.expectDeferred();
    disk.free(server);
    await writer.expectAccepted();
    await writer.expectStored();
    expect(await server.end("SIGTERM")).toBe(0);
  });
});

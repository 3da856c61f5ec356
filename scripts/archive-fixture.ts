/**
 * Writes the export of a furnished account, as this version makes it, to `test/fixtures/archives/<version>.zip`:
 * `npx -y pnpm@12 archive-fixture`. Run it once for each release; `test/older-archives.test.ts` imports every archive
 * there. Times are those of the tests' clock; ids are new at each run, and an archive that exists is never replaced.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { exportAccount } from "../packages/core/src/account/export/export-account.ts";
import { zipOf } from "../packages/core/src/account/export/zip.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { furnish } from "../test/support/furnished-account.ts";
import { ROOT } from "./run-command.ts";

const FOLDER = join(ROOT, "test/fixtures/archives");

const { version } = JSON.parse(readFileSync(join(ROOT, "packages/core/package.json"), "utf8")) as {
  version: string;
};
const service = createTestService();
const { account_id } = await furnish(service, "ada");
const { services } = service.letterslot;
const files = exportAccount(services, account_id, { held_content: true });
const zip = await buffer(zipOf(files, services.clock.now()));
const path = join(FOLDER, `${version}.zip`);
mkdirSync(FOLDER, { recursive: true });
writeFileSync(path, zip, { flag: "wx" });
console.log(`${path}: ${zip.length} bytes`);

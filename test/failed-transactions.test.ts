import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteStorage, type SqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import { temporaryFolder } from "../packages/adapter-sqlite/test/temporary-folder.ts";
import { unitOfWork } from "../packages/core/src/kernel/unit-of-work.ts";
import type { Work } from "../packages/core/src/kernel/work.ts";
import { createTestService } from "../packages/core/testing/index.ts";

const TIMEOUT_MS = 100;

let remove: () => Promise<void>;
let storage: SqliteStorage;
let unhandled: unknown[];
const note = (error: unknown) => void unhandled.push(error);

beforeEach(async () => {
  const { folder, remove: removeFolder } = await temporaryFolder();
  remove = removeFolder;
  storage = createSqliteStorage({ path: join(folder, "mail.db"), transactionTimeoutMs: TIMEOUT_MS });
  unhandled = [];
  process.on("unhandledRejection", note);
});

afterEach(async () => {
  process.off("unhandledRejection", note);
  await storage.close();
  await remove();
});

const JOB = {
  id: "job_1",
  kind: "webhook.deliver" as const,
  subject_id: "whd_1",
  payload: {},
  due_at: "2026-11-24T00:00:00.000Z",
  attempts: 0,
  lease: null,
  created_at: "2026-11-24T00:00:00.000Z",
};

/** Runs a transaction that publishes an event at its end; returns once all that it started has ended. */
async function publishAfter(run: (work: Work) => Promise<void>): Promise<unknown> {
  const { letterslot, signUp } = createTestService({ storage });
  const { account_id, inbox } = await signUp();
  const blocked = {
    from: "ada@example.org",
    subject: "",
    direction: "receive",
    reason: "block_list",
  } as const;
  const running = unitOfWork(letterslot.services, account_id, new Date(), async (work) => {
    await run(work);
    const data = { inbox_id: inbox.id, ...blocked };
    work.publish({ type: "message.blocked", inbox_id: inbox.id, data });
  });
  const [{ reason }] = (await Promise.allSettled([running])) as [{ reason?: unknown }];
  await setTimeout(3 * TIMEOUT_MS);
  return reason;
}

test("a transaction whose writes fail while its events are counted fails, and nothing else", async () => {
  expect(await publishAfter(async (work) => work.append("jobs", [JOB, JOB]))).toBeInstanceOf(Error);
  expect(unhandled).toEqual([]);
});

test("neither does anything else when a transaction takes too long, and counts its events afterwards", async () => {
  const error = await publishAfter(async () => {
    await setTimeout(2 * TIMEOUT_MS);
  });
  expect(error).toMatchObject({ code: "storage_unavailable" });
  expect(unhandled).toEqual([]);
});

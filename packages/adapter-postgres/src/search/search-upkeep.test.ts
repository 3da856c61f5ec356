import type { SearchDocument } from "@letterslot/core/ports";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresStorage } from "../storage/postgres-storage.ts";
import { createSearchStatements } from "./search-index.ts";
import { createSearchUpkeep } from "./search-upkeep.ts";

const LIMIT = 160 * 1024;

const documentOf = (number: number, text: string): SearchDocument => ({
  message_id: `msg_${String(number).padStart(20, "0")}`,
  account_id: "acct_1",
  inbox_id: "inb_1",
  thread_id: "thr_1",
  fields: { subject: [], text: [text], sender: [], recipients: [], attachments: [] },
});
const many = documentOf(1, "word ".repeat(LIMIT / 5));
const few = documentOf(2, "word");

describe("new words are moved into the index", () => {
  let runs: string[];
  let answer: () => Promise<void>;
  let upkeep: ReturnType<typeof createSearchUpkeep>;
  let index: (document: SearchDocument) => void;

  beforeEach(() => {
    vi.useFakeTimers();
    runs = [];
    answer = async () => undefined;
    const run = async ({ parameters }: { parameters: unknown[] }) => {
      runs.push(String(parameters[0]));
      await answer();
      return { rows: [], count: 0, command: "SELECT" };
    };
    upkeep = createSearchUpkeep({ run }, "a b");
    const search = upkeep.watch(createSearchStatements("a b"));
    index = (document) => void search.index([document]);
  });

  /** Lets what runs next take until the returned function is called. */
  const runSlowly = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = () => promise;
    return resolve;
  };
  /** Lets what runs next fail. */
  const runInVain = (error: Error) => {
    answer = async () => {
      throw error;
    };
  };

  afterEach(() => {
    upkeep.close();
    vi.useRealTimers();
  });

  test("once there are many, soon after they were written", async () => {
    index(many);
    index(many);
    await vi.advanceTimersByTimeAsync(9);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toEqual(['"a b"."search_lexemes"']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(1);
  });

  test("a second after the first of a few", async () => {
    index(few);
    await vi.advanceTimersByTimeAsync(500);
    index(few);
    await vi.advanceTimersByTimeAsync(499);
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(1);
  });

  test("never twice at once: what comes meanwhile is moved next", async () => {
    const end = runSlowly();
    index(many);
    await vi.advanceTimersByTimeAsync(10);
    index(many);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(1);
    end();
    await vi.advanceTimersByTimeAsync(10);
    expect(runs).toHaveLength(2);
  });

  test("again after the database has failed", async () => {
    runInVain(new Error("Connection terminated unexpectedly"));
    index(many);
    await vi.advanceTimersByTimeAsync(10);
    index(few);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(2);
  });

  test("not again after that was refused", async () => {
    runInVain(Object.assign(new Error("must be owner of index search_lexemes"), { code: "42501" }));
    index(many);
    await vi.advanceTimersByTimeAsync(10);
    index(many);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(1);
  });

  test("not after the storage was closed, even while it was under way", async () => {
    const end = runSlowly();
    index(many);
    await vi.advanceTimersByTimeAsync(10);
    index(many);
    upkeep.close();
    end();
    index(many);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(1);
  });
});

test("a storage moves what it has written, so that nothing waits in the list", async () => {
  const database = await freshDatabase();
  const storage = await createPostgresStorage({ connectionString: database.url });
  try {
    const moved = Promise.withResolvers<unknown>();
    const { run } = storage.database;
    storage.database.run = async (statement) => {
      const answer = await run(statement);
      if (statement.sql.includes("gin_clean_pending_list"))
        moved.resolve(answer.rows[0]?.["gin_clean_pending_list"]);
      return answer;
    };
    await storage.transaction(async (tx) => tx.index([few]));
    // The pages of the list that were moved.
    expect(await moved.promise).toBe(1);
  } finally {
    await storage.close();
    await database.drop();
  }
});

import { createManualClock } from "@letterslot/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startSeparatePostgres } from "../../../test/support/postgres-server.ts";
import { createPostgresQueue } from "./ports/postgres-queue.ts";
import { createPostgresSignals } from "./ports/postgres-signals.ts";
import { createPostgresStorage } from "./storage/postgres-storage.ts";

/** A server that is stopped and started during work. */
let server: Awaited<ReturnType<typeof startSeparatePostgres>>;

beforeAll(async () => {
  server = await startSeparatePostgres();
}, 120_000);

afterAll(() => server.end());

const open = () =>
  createPostgresStorage({ connectionString: `${server.url}/postgres`, connectTimeoutMs: 10_000 });

describe("a database that restarts during work", () => {
  test("causes storage_unavailable errors, and loses no acknowledged write", async () => {
    const storage = await open();
    const acknowledged: number[] = [];
    const errors: unknown[] = [];
    let done = false;
    let next = 0;
    const writer = async () => {
      while (!done) {
        const number = next++;
        const counter = { name: `c${number}`, count: number, expires_at: "" };
        const write =
          number % 2 === 0
            ? storage.insert("counters", counter)
            : storage.transaction(async (tx) => {
                await tx.get("counters", "c0");
                tx.append("counters", [counter]);
              });
        await write.then(
          () => acknowledged.push(number),
          (error: unknown) => errors.push(error),
        );
      }
    };
    const writers = [writer(), writer(), writer(), writer()];
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), 20_000);
    await server.stop();
    await expect(storage.ping()).rejects.toMatchObject({ code: "storage_unavailable" });
    await server.start();
    const before = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), 20_000);
    done = true;
    await Promise.all(writers);

    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toMatchObject({ code: "storage_unavailable" });
    const kept = new Set(
      (await storage.find("counters", { where: {}, limit: 1_000_000 })).map(({ count }) => count),
    );
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
    await storage.close();
  });

  test("listeners are called when the connection is back, and for every signal from then on", async () => {
    const storages = [await open(), await open()] as const;
    const [one, other] = [
      createPostgresSignals({ storage: storages[0] }),
      createPostgresSignals({ storage: storages[1] }),
    ];
    let calls = 0;
    await one.subscribe("inbox:a", () => void calls++);
    const clock = createManualClock();
    const queue = createPostgresQueue({ storage: storages[0], clock });
    let wakes = 0;
    queue.work(async () => void wakes++);
    await clock.advance(1);
    const wakesBefore = wakes;

    await server.stop();
    await expect(other.publish(["inbox:a"])).rejects.toMatchObject({ code: "storage_unavailable" });
    await server.start();
    await vi.waitFor(() => expect([calls, wakes > wakesBefore]).toEqual([1, true]), 20_000);
    await vi.waitFor(async () => {
      await other.publish(["inbox:a"]);
      expect(calls).toBeGreaterThan(1);
    }, 20_000);
    await queue.close();
    for (const signals of [one, other]) await signals.close();
    for (const storage of storages) await storage.close();
  });

  test("a server that is unreachable at start is storage_unavailable", async () => {
    await server.stop();
    await expect(open()).rejects.toMatchObject({ code: "storage_unavailable" });
    await server.start();
  });

  test("statement and lock time-outs are storage_unavailable", async () => {
    const storage = await createPostgresStorage({
      connectionString: `${server.url}/postgres`,
      statementTimeoutMs: 2_000,
      lockTimeoutMs: 100,
    });
    await expect(storage.database.run({ sql: "select pg_sleep(60)::text", parameters: [] })).rejects.toThrow(
      "statement timeout",
    );
    await storage.insert("counters", { name: "held", count: 1, expires_at: "" });
    const client = new pg.Client({ connectionString: `${server.url}/postgres` });
    await client.connect();
    await client.query("begin; update letterslot.counters set count = 2 where name = 'held'");
    const blocked = storage.update("counters", { name: "held" }, { count: { add: 1 } });
    await expect(blocked).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.query("rollback");
    expect(await storage.update("counters", { name: "held" }, { count: { add: 1 } })).toMatchObject([
      { count: 2 },
    ]);
    await client.end();
    await storage.close();
  });
});

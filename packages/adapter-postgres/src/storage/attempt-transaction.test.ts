import { expect, test } from "vitest";
import type { Connection } from "../connections/database.ts";
import { SERIALIZABLE, withinTransaction } from "./attempt-transaction.ts";

const plain = (sql: string) => ({ sql, parameters: [] });

test("a statement that comes after the end of its transaction is refused, since it would be committed by itself", async () => {
  const sent: string[] = [];
  const lent: Connection = {
    async run({ sql }) {
      sent.push(sql);
      return { rows: [], count: 0, command: sql.toUpperCase() };
    },
  };
  let late: Promise<unknown> | undefined;
  const failing = withinTransaction(lent, SERIALIZABLE, async (connection) => {
    await connection.run(plain("select 1"));
    process.nextTick(() => {
      late = connection.run(plain("insert"));
      // It is awaited below, after it has failed.
      late.catch(() => undefined);
    });
    throw new Error("it failed");
  });
  await expect(failing).rejects.toThrow("it failed");
  await new Promise((resolve) => setImmediate(resolve));
  await expect(late).rejects.toThrow("has ended");
  expect(sent).toEqual(["begin isolation level serializable", "select 1", "rollback"]);
});

import { expect, test } from "vitest";
import { openTransaction, type TransactionSession } from "./transaction.ts";
import type { SqlSession, Verbs } from "./verbs.ts";

const counter = { name: "a", count: 1, expires_at: "" };
const access = { table: "counters", does: "reads" } as const;
const verbs = {
  append: () => ({ sql: "insert", parameters: [] }),
  get: (session: SqlSession) => session.rows({ sql: "select", parameters: [], access }, 1),
} as unknown as Verbs;

test("what is asked while an earlier write fails is answered with its failure", async () => {
  const session = {
    send: () => Promise.reject(new Error("the write failed")),
    sendTogether: () => Promise.reject(new Error("it was sent after the failure")),
  } as unknown as TransactionSession;
  const { handle, flush } = openTransaction(verbs, session);
  // A microtask, as after any other verb: the failure is known before the next query is sent.
  await Promise.resolve();
  handle.append("counters", [counter]);
  await expect(handle.get("counters", "a")).rejects.toThrow("the write failed");
  await expect(flush()).rejects.toThrow("the write failed");
});

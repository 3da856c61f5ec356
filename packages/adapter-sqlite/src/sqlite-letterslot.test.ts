import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SenderAuth } from "@letterslot/core/ports";
import {
  createManualClock,
  createMemoryTransport,
  createMemoryWebhookHttp,
  type ManualClock,
} from "@letterslot/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteLetterslot, type SqliteLetterslot } from "./sqlite-letterslot.ts";

const HOUR_MS = 3_600_000;
const nobodyIsProven: SenderAuth = {
  check: async () => ({
    spf: { result: "none", domain: null },
    dkim: [],
    arc: null,
    dmarc: null,
    dmarc_temperror: false,
    repeated_headers: [],
  }),
};

let folder: string;
let remove: () => Promise<void>;
let running: SqliteLetterslot[];

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((letterslot) => letterslot.close()));
  await remove();
});

function open(data: string, clock: ManualClock = createManualClock()) {
  const transport = createMemoryTransport();
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const letterslot = createSqliteLetterslot({
    folder: data,
    transport,
    senderAuth: nobodyIsProven,
    webhookHttp: createMemoryWebhookHttp(),
    clock,
    log: { info: note, warn: note, error: note },
  });
  running.push(letterslot);
  return { letterslot, transport, clock, logged };
}

async function signUp({ as, authenticate }: SqliteLetterslot) {
  const { api_key, inbox } = await as({ type: "public", ip: null }).accounts.onboard({ username: "ada" });
  return { api_key, inbox, agent: as(await authenticate(api_key, null)) };
}

test("one call makes a service that works: a mail is sent without more", async () => {
  const { letterslot, transport } = open(join(folder, "new", "data"));
  const { agent, inbox } = await signUp(letterslot);
  await agent.messages.send({ inbox_id: inbox.id, to: ["grace@example.org"], subject: "Hi", text: "Hi" });
  await expect.poll(() => transport.sent.length).toBe(1);
});

test("close ends all of it, once; the folder can be opened again, with the same key", async () => {
  const { letterslot, clock, logged } = open(folder);
  const { api_key } = await signUp(letterslot);
  const key = readFileSync(join(folder, "encryption.key"), "utf8");
  await Promise.all([letterslot.close(), letterslot.close()]);
  await letterslot.close();
  await expect(letterslot.services.queue.send(clock.now())).rejects.toThrow("closed");
  // Work or a sweep that went on would fail on the closed database, and say so.
  await clock.advance(HOUR_MS);
  expect(logged).toEqual([]);

  const again = open(folder, clock).letterslot;
  expect(await again.authenticate(api_key, null)).toMatchObject({ type: "key" });
  expect(readFileSync(join(folder, "encryption.key"), "utf8")).toBe(key);
});

test("the folder and its key are for this user only", () => {
  const data = join(folder, "data");
  open(data);
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([mode(data), mode(join(data, "encryption.key"))]).toEqual(["700", "600"]);
});

test("a key that was cut short stops the start, with a sentence", () => {
  writeFileSync(join(folder, "encryption.key"), "abcd\n");
  expect(() => open(folder)).toThrow(/encryption\.key is not a key of 32 bytes in hex\. Restore it/);
});

test("what has had its time is swept each minute", async () => {
  const { letterslot, clock } = open(folder);
  const expires_at = new Date(clock.now().getTime() + 1).toISOString();
  await letterslot.storage.insert("counters", { name: "over", count: 1, expires_at });
  await clock.advance(HOUR_MS);
  await expect.poll(() => letterslot.storage.get("counters", "over")).toBeUndefined();
});

import { hash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { inboxesOfPersons } from "@letterslot/core/internal";
import type { Objects } from "@letterslot/core/ports";
import { isLocal } from "../announce.ts";
import { checkEncryptionKey } from "../run.ts";
import { type Check, check, failed, named, ok, reasonOf, warning } from "./checks.ts";
import { clocksOf, judgeClock, type OtherClock } from "./clock.ts";
import { type DoctorTools, type Facts, LOOK_MS } from "./facts.ts";
import { clientOf } from "./running-server.ts";
import { examineWebhooks, type LookedAt, MAX_WEBHOOKS } from "./webhook-checks.ts";

const REDIS_MS = 3_000;
const REDIS_LOOK_MS = 50;
/** Allows for the retries of a store that doesn't answer. */
const OBJECTS_LOOK_MS = 30_000;
const PROBE_BYTES = 4_096;
/** Work that was due longer ago than this waits for a worker. */
const LATE_MS = 300_000;
const RECEIVER_MS = 8_000;

/** Whether the storage works as the server needs it, and its secrets can be read. */
export async function examineStorage(
  { opened, service }: NonNullable<Facts["storage"]>,
  { describe }: Pick<DoctorTools, "describe">,
): Promise<Check[]> {
  const look = { within_ms: LOOK_MS, fix: "Check the database, its log and its load." };
  const database = check("storage", look, async () => {
    const { version, unsafe } = await opened.database();
    await service.services.storage.ping();
    if (unsafe === null) return ok(`${version} answers, and syncs what it commits.`);
    return failed(
      `${version} answers, but its setting ${unsafe} is off.`,
      `Turn ${unsafe} on: without it, mail that was acknowledged can be lost.`,
    );
  });
  const key = check("encryption_key", look, async () => {
    try {
      await checkEncryptionKey(service);
      return ok("It decrypts the stored secrets.");
    } catch (error) {
      return failed(describe(error), "Look for the key in the backup of DATA_DIR (encryption.key).");
    }
  });
  const addresses = check("addresses", look, async () => {
    const found = await inboxesOfPersons(service.services);
    if (found.length === 0) return ok("No inbox has the address of a person with a say.");
    const conflicts = found.map(({ address, inbox_id }) => `${inbox_id} (${address})`).join(", ");
    return warning(
      `These inboxes have addresses that are persons' too: ${conflicts}. The persons keep every right; mail of the inboxes counts as theirs nowhere.`,
      "Delete the inboxes, or end the persons' rights.",
    );
  });
  const { objects } = opened;
  return Promise.all([database, key, addresses, ...(objects === undefined ? [] : [examineObjects(objects)])]);
}

/** Whether objects can be put, got and deleted: the rights of a key are often given one by one. */
function examineObjects(objects: Objects): Promise<Check> {
  const fix = "Check S3_URL, the rights of S3_ACCESS_KEY_ID, and whether the bucket is there.";
  return check("objects", { within_ms: OBJECTS_LOOK_MS, fix }, async () => {
    const bytes = randomBytes(PROBE_BYTES);
    const sha256 = hash("sha256", bytes, "hex");
    const object = { name: `doctor/${randomUUID()}`, sha256, size_bytes: bytes.length };
    const steps: [string, () => Promise<unknown>][] = [
      ["put", () => objects.put(object, bytes)],
      ["got", () => objects.get(object).then(expectFound)],
      ["deleted", () => objects.delete(object.name)],
    ];
    for (const [step, take] of steps) {
      try {
        await take();
      } catch (error) {
        // Clean up the test object; the reason for this failure is reported already.
        await objects.delete(object.name).catch(() => undefined);
        return failed(`An object can't be ${step} in S3_URL: ${reasonOf(error)}.`, fix);
      }
    }
    return ok("An object can be put, got and deleted in S3_URL.");
  });
}

/** A bucket that takes an object and doesn't have it afterwards would lose mail. */
function expectFound(bytes: Uint8Array | undefined): void {
  if (bytes === undefined) throw new Error("it isn't there after it was put");
}

/** Whether due work is done, and Redis helps with it where it is configured. */
export async function queue({ config, running, storage }: Facts): Promise<Check[]> {
  const checks: Check[] = [];
  if (storage === undefined) return checks;
  const { opened, service } = storage;
  checks.push(
    await check("queue", { within_ms: LOOK_MS, fix: "Check the database." }, async () => {
      const order = { by: "due_at", direction: "asc" } as const;
      const [oldest] = await service.services.storage.find("jobs", { where: {}, order, limit: 1 });
      const late = oldest !== undefined && Date.now() - Date.parse(oldest.due_at) > LATE_MS;
      if (!late) return ok("No work is late.");
      const says = `Work (${oldest.kind}) has been due since ${oldest.due_at}.`;
      return running === undefined
        ? ok(`${says} It is done when the server runs.`)
        : warning(says, "Check that a process with ROLE=worker or all runs, and see its log.");
    }),
  );
  if (config.redis_url === undefined) return checks;
  const deadline = performance.now() + REDIS_MS;
  while (opened.degraded().length > 0 && performance.now() < deadline) await pause(REDIS_LOOK_MS);
  const up = opened.degraded().length === 0;
  const down = failed(
    "Redis can't be reached or takes no writes.",
    "Check REDIS_URL and start Redis. Meanwhile the server polls, so that waits and sends start later.",
  );
  return [...checks, named("redis", up ? ok("Redis takes writes.") : down)];
}

/** Compares this machine's clock with those of hosts that the server talks to anyway. */
export async function clock({ config, base_url, running, storage }: Facts): Promise<Check> {
  const urls = [
    ...(isLocal(base_url) ? [] : [`${base_url}/healthz`]),
    ...(config.twilio_account_sid === undefined ? [] : [config.twilio_api_url]),
  ];
  const fix = "Check that the hosts can be reached from here.";
  return check("clock", { within_ms: LOOK_MS, fix }, async (signal) => {
    const asked = Date.now();
    const { now = null } = (await storage?.opened.database().catch(() => undefined)) ?? {};
    const answered = Date.now();
    const database: OtherClock[] =
      now === null ? [] : [{ whose: "the database", ahead_ms: (asked + answered) / 2 - now.getTime() }];
    const { clocks, troubles } = await clocksOf(urls, signal);
    const all = [...clocks, ...database];
    if (all.length > 0 || troubles.length === 0) return judgeClock(all);
    const says = `No other clock can be asked: ${troubles.join("; ")}.`;
    return warning(says, running === undefined ? `${fix} A server that doesn't run can't answer.` : fix);
  });
}

/** Whether the receivers of webhooks can be reached. */
export async function webhooks({ running, storage, environment }: Facts): Promise<Check[]> {
  const fix = "Check the network of this machine.";
  const client = running === undefined ? undefined : clientOf(running, environment);
  if (storage === undefined && client === undefined) return [];
  return [
    await check("webhooks", { within_ms: LOOK_MS, fix }, async () => {
      if (storage !== undefined) {
        const { services } = storage.service;
        const order = { by: "id", direction: "desc" } as const;
        const stored = await services.storage.find("webhooks", { where: {}, order, limit: MAX_WEBHOOKS });
        return examineWebhooks(stored, services.webhookHttp, RECEIVER_MS);
      }
      const found: LookedAt[] = (await client?.webhooks.list({ limit: MAX_WEBHOOKS }))?.data ?? [];
      return judgeDelivered(found);
    }),
  ];
}

/** Judges a running server's webhooks by its own deliveries. */
function judgeDelivered(found: readonly LookedAt[]) {
  const down = found.filter(({ enabled, consecutive_failures }) => enabled && consecutive_failures > 0);
  if (found.length === 0) return ok("The account has no webhook.");
  if (down.length === 0) return ok("The last deliveries to the account's webhooks were taken.");
  const each = down.map(
    (hook) => `${hook.id} (${new URL(hook.url).host}, ${hook.consecutive_failures} in a row)`,
  );
  const says = `Deliveries to webhooks fail: ${each.join("; ")}.`;
  const fix = "See letterslot webhooks, or GET /webhooks/:id/deliveries, for what the receivers answered.";
  return down.length === found.length ? failed(says, fix) : warning(says, fix);
}

import { afterEach, expect, test } from "vitest";
import { LIMITS } from "../../packages/core/src/index.ts";
import { createLocalSignals, type Signals } from "../../packages/core/src/ports/index.ts";
import { createManualClock, type ManualClock, type TestAccount } from "../../packages/core/testing/index.ts";
import { serve } from "../../packages/server/testing/serve.ts";
import { openReader, type StreamReader } from "../support/stream-reader.ts";
import { until } from "../support/until.ts";

const ACCOUNTS = 20;
/** Per account: with its own key, and with a key for its second inbox only. */
const READERS_PER_KEY = 25;
const STREAMS = ACCOUNTS * READERS_PER_KEY * 2;
const TIMEOUT_MS = 60_000;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A clock and signals that count their waiters. */
function counted(): {
  clock: ManualClock;
  signals: Signals;
  waiting(): { timers: number; listeners: number };
} {
  const [clock, signals] = [createManualClock(), createLocalSignals()];
  const [timers, listeners] = [new Set<object>(), new Set<object>()];
  return {
    clock: {
      ...clock,
      after(milliseconds, run) {
        const timer = {};
        timers.add(timer);
        const cancel = clock.after(milliseconds, () => {
          timers.delete(timer);
          run();
        });
        return () => {
          timers.delete(timer);
          cancel();
        };
      },
    },
    signals: {
      ...signals,
      async subscribe(channel, listener) {
        const subscription = {};
        listeners.add(subscription);
        const unsubscribe = await signals.subscribe(channel, listener);
        return () => {
          listeners.delete(subscription);
          unsubscribe();
        };
      },
    },
    waiting: () => ({ timers: timers.size, listeners: listeners.size }),
  };
}

const socketsHere = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

test(`${STREAMS} idle streams get every heartbeat and exactly their own events, and leak nothing`, {
  timeout: 4 * TIMEOUT_MS,
}, async () => {
  const { clock, signals, waiting } = counted();
  const served = await serve({ config: { clock, signals } });
  closing.push(() => served.close());
  const port = Number(new URL(served.base_url).port);
  const [socketsBefore, before] = [socketsHere(), waiting()];

  type Tenant = { account: TestAccount; second_id: string; whole: StreamReader[]; scoped: StreamReader[] };
  const openAll = (api_key: string) =>
    Promise.all(
      Array.from({ length: READERS_PER_KEY }, () => openReader({ port, api_key, comesBack: false })),
    );
  const tenants: Tenant[] = [];
  for (let number = 0; number < ACCOUNTS; number++) {
    const account = await served.signUp(`agent${number}`);
    const { id: second_id } = await account.as.inboxes.create({ username: `second${number}` });
    const { api_key } = await account.as.keys.createForInbox({ inbox_id: second_id, name: "scoped" });
    tenants.push({
      account,
      second_id,
      whole: await openAll(account.api_key),
      scoped: await openAll(api_key),
    });
  }
  const readers = tenants.flatMap(({ whole, scoped }) => [...whole, ...scoped]);
  closing.push(() => readers.forEach((reader) => reader.hangUp()));
  await until("every stream to listen", () => waiting().listeners === STREAMS, TIMEOUT_MS);

  await clock.advance(LIMITS.stream_comment_ms);
  await until(
    "every stream's heartbeat",
    () => readers.every(({ heartbeats }) => heartbeats === 1),
    TIMEOUT_MS,
  );

  for (const [number, { account, second_id }] of tenants.entries()) {
    const write = (inbox_id: string, subject: string) =>
      account.as.messages.inject({ inbox_id, from: "mara@family.example.com", subject, text: "x" });
    await write(account.inbox.id, `first of ${number}`);
    await write(second_id, `second of ${number}`);
  }
  // A stream is ordered by sequence, so its last event shows that earlier ones have arrived or never will.
  const heard = ({ events }: StreamReader) => events.map(({ subject }) => subject);
  await until(
    "every stream's last event",
    () => readers.every((reader) => heard(reader).some((one) => one.startsWith("second"))),
    TIMEOUT_MS,
  );

  // Half of them disconnect silently; the others get the end event with the cursor to resume from.
  const [gone, patient] = [tenants.flatMap(({ whole }) => whole), tenants.flatMap(({ scoped }) => scoped)];
  for (const reader of gone) reader.hangUp();
  await until("the server to notice who is gone", () => waiting().listeners === patient.length, TIMEOUT_MS);
  await clock.advance(LIMITS.stream_ms);
  await until("the end of the others", () => patient.every(({ ends }) => ends === 1), TIMEOUT_MS);
  await until("all connections to be gone", () => socketsHere() <= socketsBefore, TIMEOUT_MS);
  await until("all timers to be gone", () => waiting().timers <= before.timers, TIMEOUT_MS);

  const mistaken = tenants.flatMap(({ whole, scoped }, number) => {
    const own = [`first of ${number}`, `second of ${number}`];
    const [wrong, wrongScoped] = [
      whole.filter((reader) => heard(reader).join() !== own.join()),
      scoped.filter((reader) => heard(reader).join() !== own[1]),
    ];
    return [...wrong, ...wrongScoped];
  });
  expect(mistaken).toEqual([]);
  expect(readers.flatMap(({ troubles }) => troubles)).toEqual([]);
  expect(waiting()).toEqual(before);
});

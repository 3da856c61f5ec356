import { fail } from "@letterslot/core/ports";
import { createBoundedMap, createKeptWorkers } from "@letterslot/node-kit";
import { clientNetwork } from "./client-network.ts";
import { createSemaphore } from "./semaphore.ts";
import { type MailReader, startMailWorker, WorkerEnded, type WorkerHandle } from "./worker-handle.ts";

/** The time after which an idle worker ends. */
const IDLE_MS = 30_000;
/** Young generation of a worker: there are several, and a large message's objects are soon old. */
const YOUNG_HEAP_MB = 3;
/**
 * A worker that got less CPU time than this share of its deadline was starved or waited for DNS: not the
 * mail's fault.
 */
const MIN_CPU_SHARE = 0.25;
/**
 * Tasks that may wait for a worker; any more fail temporarily, so that the sender retries. A message has two,
 * so this is room for each of the listener's connections.
 */
export const MAX_QUEUE = 1_000;
/** The tasks of one network among those. */
const MAX_QUEUE_PER_NETWORK = MAX_QUEUE / 10;
/**
 * The number of temporary failures (the machine may have been busy) before a message that exceeds its worker's time or
 * memory is rejected for good.
 */
const TEMPORARY_FAILURES = 2;
/** Messages counted; beyond that the oldest is forgotten, and may fail temporarily again. */
const MAX_COUNTED = 10_000;

/** After a larger mail a worker is ended: its memory would otherwise be kept until it collects its garbage. */
const ENDED_AFTER_BYTES = 4_194_304;

/** Reading a mail takes about so long for each of its bytes, at worst. */
const MS_PER_BYTE = 500 / 1_000_000;
/** Mail of up to half a megabyte, such as a newsletter, finds a worker that no larger mail may take. */
const SHORT_MS = 524_288 * MS_PER_BYTE;

/** Worker threads that each read one message at a time. */
export interface IsolatedWorkers extends MailReader {
  close(): Promise<void>;
}

/** A worker for one message, and how many tasks it has there. */
interface Place {
  worker: Promise<WorkerHandle>;
  tasks: number;
  leave(): void;
}

interface IsolatedWorkersOptions {
  threads: number;
  /** Time limit for one message, and for its wait. */
  deadline_ms: number;
  start?: () => WorkerHandle;
}

/**
 * Reads one message per worker in up to `threads` workers, started on demand and ended when idle; the workers
 * are shared out by sending network and by size. Reading and checking the same message, begun together, share a
 * worker. After `deadline_ms`, or without memory, a worker is terminated and its
 * task fails: with `storage_unavailable` the first two times for the same message, so that it is sent again,
 * then with `mail_too_complex`. Always with `storage_unavailable` if no worker was free in that time, the
 * worker did not start, hardly got CPU time, or was ended by `close`.
 */
export function createIsolatedWorkers({
  threads,
  deadline_ms,
  start = () => startMailWorker(YOUNG_HEAP_MB),
}: IsolatedWorkersOptions): IsolatedWorkers {
  const acquire = createSemaphore({
    permits: threads,
    max_waiting: MAX_QUEUE,
    max_waiting_per_network: MAX_QUEUE_PER_NETWORK,
    wait_ms: deadline_ms,
    short_ms: SHORT_MS,
  });
  /** Messages that have a worker or wait for one. */
  const places = new Map<Uint8Array, Place>();
  const countFailure = createFailureCount();
  const workers = createKeptWorkers<WorkerHandle>(IDLE_MS, (worker) => worker.state() === "ended");
  let closing = false;

  async function isolate<T>(
    task: { kind: "read" | "check"; raw: Uint8Array; client_ip: string | null },
    read: (reader: MailReader) => Promise<T>,
  ): Promise<T> {
    const place = places.get(task.raw) ?? openPlace(task.raw, clientNetwork(task.client_ip));
    place.tasks += 1;
    try {
      return await readUntilDeadline(await place.worker, task, read);
    } finally {
      place.tasks -= 1;
      if (place.tasks === 0) place.leave();
    }
  }

  function openPlace(raw: Uint8Array, network: string | null): Place {
    const permit = acquire({ network, expected_ms: raw.length * MS_PER_BYTE });
    const worker = permit.then(() => {
      if (closing) throw fail("storage_unavailable");
      return workers.take() ?? workers.add(start());
    });
    const leave = () => {
      places.delete(raw);
      // The tasks have reported a permit or worker that there wasn't; one that can't be ended is no task's fault.
      const given_back = worker.then((used) => giveBack(used, raw)).catch(() => undefined);
      // Not before: no more workers live than there are permits.
      void permit.then(
        (release) => given_back.then(release),
        () => undefined,
      );
    };
    const place = { worker, tasks: 0, leave };
    places.set(raw, place);
    return place;
  }

  async function giveBack(used: WorkerHandle, raw: Uint8Array): Promise<void> {
    try {
      if (raw.length > ENDED_AFTER_BYTES) await used.end();
    } finally {
      await workers.giveBack(used);
    }
  }

  async function readUntilDeadline<T>(
    worker: WorkerHandle,
    { kind, raw }: { kind: string; raw: Uint8Array },
    read: (reader: MailReader) => Promise<T>,
  ): Promise<T> {
    const deadline = startDeadline(worker, deadline_ms);
    try {
      return await read(worker);
    } catch (cause) {
      if (!(cause instanceof WorkerEnded)) throw cause;
      if (closing || deadline.starved()) throw fail("storage_unavailable", { cause });
      const failures = await countFailure(kind, raw);
      throw fail(failures > TEMPORARY_FAILURES ? "mail_too_complex" : "storage_unavailable", { cause });
    } finally {
      deadline.cancel();
    }
  }

  return {
    read: (raw, options) =>
      isolate({ kind: "read", raw, client_ip: options.clientIp ?? null }, (reader) =>
        reader.read(raw, options),
      ),
    check: (mail, settings) =>
      isolate({ kind: "check", raw: mail.raw, client_ip: mail.envelope.client_ip }, (reader) =>
        reader.check(mail, settings),
      ),
    async close() {
      closing = true;
      await workers.close();
    },
  };
}

/** Ends the worker `deadline_ms` after it becomes ready, unless cancelled. */
function startDeadline(worker: WorkerHandle, deadline_ms: number): { starved(): boolean; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  // A worker that never started got no CPU time.
  let starved = true;
  let cancelled = false;
  worker.onReady(() => {
    starved = false;
    if (cancelled) return;
    const before = worker.cpuTime();
    const end = async () => {
      const [cpu_before, cpu_after] = await Promise.all([before, worker.cpuTime()]);
      if (cancelled) return;
      starved = wasStarved(cpu_before, cpu_after, deadline_ms);
      void worker.end();
    };
    timer = setTimeout(() => void end(), deadline_ms);
  });
  return {
    starved: () => starved,
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Counts how often each message failed in one kind of task; resolves with the number so far. Only the hash of
 * a message is kept, in memory: after a restart it may fail temporarily again.
 */
function createFailureCount(): (kind: string, raw: Uint8Array) => Promise<number> {
  const counts = createBoundedMap<string, number>(MAX_COUNTED);
  return async (kind, raw) => {
    // On a thread of the pool: hashing a large message takes longer than the event loop may be held.
    const hash = await crypto.subtle.digest("SHA-256", raw);
    const key = `${kind} ${Buffer.from(hash).toString("base64")}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/** Whether a worker hardly got CPU time in `elapsed_ms`; false if its CPU time is unknown. */
export function wasStarved(
  cpu_before_ms: number | undefined,
  cpu_after_ms: number | undefined,
  elapsed_ms: number,
): boolean {
  return (
    cpu_before_ms !== undefined &&
    cpu_after_ms !== undefined &&
    cpu_after_ms - cpu_before_ms < elapsed_ms * MIN_CPU_SHARE
  );
}

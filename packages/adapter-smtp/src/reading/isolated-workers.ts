import { fail } from "@letterslot/core";
import { clientNetwork } from "./client-network.ts";
import { createFailureCount } from "./failure-count.ts";
import { createSemaphore } from "./semaphore.ts";
import { type MailReader, startMailWorker, WorkerEnded, type WorkerHandle } from "./worker-handle.ts";

/** How long an idle worker is kept. */
const IDLE_MS = 30_000;
/** Young generation of a worker: there are several, and what a large message needs is soon old. */
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
/** Of those, the tasks of one network. */
const MAX_QUEUE_PER_NETWORK = MAX_QUEUE / 10;
/**
 * How often a message that exceeded the time or memory of its worker may be sent again: the machine may have
 * been busy.
 */
const TEMPORARY_FAILURES = 2;

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
  const working = new Set<WorkerHandle>();
  const idle = new Map<WorkerHandle, NodeJS.Timeout>();
  let closing = false;

  function takeWorker(): WorkerHandle {
    const worker = [...idle.keys()].find((candidate) => candidate.state() !== "ended") ?? start();
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    working.add(worker);
    return worker;
  }

  function returnWorker(worker: WorkerHandle): void {
    working.delete(worker);
    if (closing || worker.state() === "ended") return;
    const endIdle = () => {
      idle.delete(worker);
      void worker.end();
    };
    idle.set(worker, setTimeout(endIdle, IDLE_MS).unref());
  }

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
      return takeWorker();
    });
    const leave = () => {
      places.delete(raw);
      // Neither rejects: the tasks have reported it.
      void worker.then(returnWorker, () => undefined);
      void permit.then(
        (release) => release(),
        () => undefined,
      );
    };
    const place = { worker, tasks: 0, leave };
    places.set(raw, place);
    return place;
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
      isolate({ kind: "read", raw, client_ip: options.client_ip ?? null }, (reader) =>
        reader.read(raw, options),
      ),
    check: (mail, settings) =>
      isolate({ kind: "check", raw: mail.raw, client_ip: mail.envelope.client_ip }, (reader) =>
        reader.check(mail, settings),
      ),
    async close() {
      closing = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...working, ...idle.keys()].map((worker) => worker.end()));
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

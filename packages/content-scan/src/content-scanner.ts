import {
  type ContentFinding,
  type ContentPart,
  type ContentScan,
  type ContentScanner,
  LIMITS,
} from "@letterslot/core/ports";
import { createKeptWorkers } from "@letterslot/node-kit";
import type { TextAnswer } from "./scan-worker.ts";
import { startContentWorker, type WorkerHandle } from "./worker-handle.ts";

const DEFAULT_THREADS = 2;
const MAX_WAITING = 100;
const IDLE_MS = 30_000;
/** After any rest the next mail finds a thread: starting one takes longer than all else that is done before mail leaves. */
const ALWAYS = 1;
const MIN_KEY_BYTES = 16;

/** Options for scanning. */
export interface ContentScannerOptions {
  /**
   * The key of the fingerprints, at least 16 bytes, the same in every process and after each start: with it a value is
   * known again, and without it nobody can try out which value has a fingerprint.
   */
  fingerprintKey: Uint8Array;
  /** Mails scanned at a time. Default: 2. */
  threads?: number;
  /** The time limit for each, in milliseconds. Default: 1 second. */
  deadlineMs?: number;
}

/** A content scanner with its worker threads. */
export interface ThreadedContentScanner extends ContentScanner {
  /** Ends the workers; the parts of mails that are being scanned are `unscanned`. */
  close(): Promise<void>;
}

/**
 * Scans content in worker threads, started on demand and ended when idle, but for one. Text that takes too long gets its worker
 * terminated, without affecting other mails; so do mails beyond a hundred that wait.
 */
export function createContentScanner(options: ContentScannerOptions): ThreadedContentScanner {
  const { fingerprintKey, threads = DEFAULT_THREADS, deadlineMs = LIMITS.content_scan_ms } = options;
  if (fingerprintKey.length < MIN_KEY_BYTES) throw new Error("fingerprintKey needs 16 bytes or more");
  const workers = createKeptWorkers<WorkerHandle>(IDLE_MS, (worker) => worker.spent(), ALWAYS);
  const waiting: (() => void)[] = [];
  let free = threads;
  let closed = false;

  async function acquire(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  async function scanIn(
    parts: readonly ContentPart[],
    signal: AbortSignal | undefined,
  ): Promise<TextAnswer[]> {
    const answers: TextAnswer[] = [];
    const worker = workers.take() ?? workers.add(await startContentWorker(fingerprintKey));
    const stop = () => void worker.end();
    signal?.addEventListener("abort", stop);
    const task = { texts: parts.map(({ text }) => text) };
    if (signal?.aborted !== true) await worker.scan(task, deadlineMs, (answer) => void answers.push(answer));
    signal?.removeEventListener("abort", stop);
    await workers.giveBack(worker);
    return answers;
  }

  return {
    async scan(parts, signal) {
      signal?.throwIfAborted();
      const { within, beyond } = withinBounds(parts);
      const none = { findings: [], unscanned: [...within.map(({ name }) => name), ...beyond] };
      if (closed || within.length === 0 || (free === 0 && waiting.length >= MAX_WAITING)) return none;
      await acquire();
      try {
        if (closed) return none;
        const answers = await scanIn(within, signal);
        signal?.throwIfAborted();
        return resultOf(within, beyond, answers);
      } finally {
        release();
      }
    },
    async close() {
      closed = true;
      await workers.close();
    },
  };
}

/** Parts the mail into what is scanned and the names of what is too long, or too much. */
function withinBounds(parts: readonly ContentPart[]): { within: ContentPart[]; beyond: string[] } {
  const within: ContentPart[] = [];
  const beyond: string[] = [];
  let left = LIMITS.content_scan_chars;
  for (const part of parts) {
    const { length } = part.text;
    const fits = length <= Math.min(left, LIMITS.content_scan_part_chars);
    if (fits && within.length < LIMITS.content_scan_parts) {
      within.push(part);
      left -= length;
    } else beyond.push(part.name);
  }
  return { within, beyond };
}

function resultOf(
  within: readonly ContentPart[],
  beyond: readonly string[],
  answers: readonly TextAnswer[],
): ContentScan {
  const findings: ContentFinding[] = [];
  const scanned = new Set<number>();
  for (const answer of answers) {
    if ("failed" in answer) continue;
    scanned.add(answer.index);
    const part = within[answer.index]?.name ?? "";
    findings.push(...answer.findings.map((finding) => ({ ...finding, part })));
  }
  const left = within.flatMap(({ name }, index) => (scanned.has(index) ? [] : [name]));
  return { findings: findings.slice(0, LIMITS.content_scan_findings), unscanned: [...left, ...beyond] };
}

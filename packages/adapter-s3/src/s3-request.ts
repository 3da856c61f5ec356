import { setTimeout as pause } from "node:timers/promises";
import { StoreRefused, StoreUnreachable } from "./s3-errors.ts";

/** Time limits for attempts. */
export interface Bounds {
  try_ms: number;
  all_ms: number;
  /** The wait after the first failed try; twice as long after each further one. */
  retry_ms: number;
}

/** The store's answer. */
export interface Answer {
  ok: boolean;
  /** Its bytes. Throws `StoreUnreachable` beyond `max_bytes`. */
  bytes(max_bytes: number): Promise<Uint8Array>;
  /** A header of it; null without it. */
  header(name: string): string | null;
  /** Its text, which is short. */
  text(): Promise<string>;
  /** Drains the unread body, so that the connection can be reused. */
  finished(): Promise<void>;
  /** Reads the store's explanation of a refused request. */
  refusal(): Promise<StoreRefused>;
}

/** An answer without an object is a few hundred bytes of XML, or nothing. */
const MAX_TEXT_BYTES = 64 * 1024;
/** The maximum number of attempts for a request: after so many failures the store is down, or its object is damaged. */
const MAX_TRIES = 5;

/**
 * Sends a request until it succeeds, is refused for good, has failed `MAX_TRIES` times or the time is over. Throws the last failure: `StoreRefused`
 * or `StoreUnreachable`.
 */
export async function sendWithRetries<T>(
  { try_ms, all_ms, retry_ms }: Bounds,
  { send, read }: { send(signal: AbortSignal): Promise<Response>; read(answer: Answer): Promise<T> },
): Promise<T> {
  const end = performance.now() + all_ms;
  let last: StoreRefused | StoreUnreachable | undefined;
  for (let tries = 1; ; tries++) {
    const left_ms = end - performance.now();
    try {
      return await read(answerOf(await send(AbortSignal.timeout(Math.ceil(Math.min(try_ms, left_ms))))));
    } catch (error) {
      const failure = failureOf(error);
      // A try that had less than its time says nothing of the store.
      if (left_ms >= try_ms || !isTimeout(error)) last = failure;
      // Spread, so that many processes don't come back together.
      const wait_ms = retry_ms * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
      const is_final = (failure instanceof StoreRefused && !failure.passing) || tries === MAX_TRIES;
      if (is_final || performance.now() + wait_ms >= end) throw last ?? failure;
      await pause(wait_ms);
    }
  }
}

function answerOf(response: Response): Answer {
  return {
    ok: response.ok,
    bytes: (max_bytes) => readAtMost(response, max_bytes),
    header: (name) => response.headers.get(name),
    text: async () => Buffer.from(await readAtMost(response, MAX_TEXT_BYTES)).toString("utf8"),
    async finished() {
      await readAtMost(response, MAX_TEXT_BYTES);
    },
    async refusal() {
      const text = await this.text();
      // The rest of the message may contain the key's id and the signed text.
      const [, code = ""] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text) ?? [];
      return new StoreRefused(response.status, code);
    },
  };
}

async function readAtMost(response: Response, max_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > max_bytes) throw new StoreUnreachable("The object store sent more than was asked for.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureOf(error: unknown): StoreRefused | StoreUnreachable {
  if (error instanceof StoreRefused || error instanceof StoreUnreachable) return error;
  const { message, cause } = error as Error;
  if (isTimeout(error))
    return new StoreUnreachable("The object store didn't answer in time.", { cause: error });
  // fetch says `fetch failed` or `terminated`; the reason is its cause.
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
  return new StoreUnreachable(`The object store can't be reached: ${reason}.`, { cause: error });
}

const isTimeout = (error: unknown): boolean => (error as Error).name === "TimeoutError";

import { fork } from "node:child_process";
import { once } from "node:events";

/** Functions of a program in another process. Arguments and results are copied. */
export type Calls = Record<string, (argument: never) => unknown>;

interface Question {
  number: number;
  name: string;
  argument: unknown;
}

interface Answer {
  number: number;
  value?: unknown;
  error?: string;
}

/** A program in another process. */
export interface Program<C extends Calls> {
  pid: number;
  call<N extends keyof C & string>(
    name: N,
    argument: Parameters<C[N]>[0],
  ): Promise<Awaited<ReturnType<C[N]>>>;
}

/**
 * Starts a file of bench/ that ends with `answerCalls`, and adds stopping it to `ends`. Its output is shown.
 */
export async function startProgram<C extends Calls>(
  file: string,
  cleanups: { push(end: () => unknown): void },
): Promise<Program<C>> {
  const profile = process.env["BENCH_PROFILE"];
  const execArgv = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const child = fork(new URL(`../${file}`, import.meta.url), [], { serialization: "advanced", execArgv });
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let next = 0;
  const ended = once(child, "exit");
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} exited`));
  });
  cleanups.push(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  const ready = new Promise<void>((resolve) => child.once("message", () => resolve()));
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`${file} did not start`)))]);
  child.on("message", (message) => settle(waiting, message as Answer));
  return {
    pid: child.pid ?? 0,
    call: (name, argument) =>
      new Promise((resolve, reject) => {
        const number = next++;
        waiting.set(number, { resolve, reject });
        child.send({ number, name, argument } satisfies Question);
      }),
  };
}

function settle(
  waiting: Map<number, { resolve(value: never): void; reject(error: Error): void }>,
  answer: Answer,
): void {
  const asker = waiting.get(answer.number);
  waiting.delete(answer.number);
  if (answer.error === undefined) asker?.resolve(answer.value as never);
  else asker?.reject(new Error(answer.error));
}

/** In the started program: answers calls until the parent process disconnects. */
export function serveCalls(calls: Calls): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => void serveCall(calls, message as Question));
  process.send?.("ready");
}

async function serveCall(calls: Calls, { number, name, argument }: Question): Promise<void> {
  try {
    process.send?.({ number, value: await calls[name]?.(argument as never) } satisfies Answer);
  } catch (error) {
    process.send?.({
      number,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    } satisfies Answer);
  }
}

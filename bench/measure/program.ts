import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** Functions of a program that runs in a process of its own. Arguments and answers are copied. */
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

/** A program in a process of its own. */
export interface Program<C extends Calls> {
  pid: number;
  call<N extends keyof C & string>(
    name: N,
    argument: Parameters<C[N]>[0],
  ): Promise<Awaited<ReturnType<C[N]>>>;
  end(): Promise<void>;
}

/** Starts a file of the benchmark that ends in `answerCalls`. Whatever it writes is shown. */
export async function startProgram<C extends Calls>(
  file: URL,
  environment: Record<string, string> = {},
): Promise<Program<C>> {
  const profile = process.env["BENCH_PROFILE"];
  const execArgv = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const child = fork(file, [], {
    serialization: "advanced",
    env: { ...process.env, ...environment },
    execArgv,
  });
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let next = 0;
  const ended = endOf(child, () => {
    for (const { reject } of waiting.values()) reject(new Error(`${file.pathname} ended`));
  });
  const ready = new Promise<void>((resolve) => child.once("message", () => resolve()));
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`${file.pathname} did not start`)))]);
  child.on("message", (message) => settle(waiting, message as Answer));
  return {
    pid: child.pid ?? 0,
    call: (name, argument) =>
      new Promise((resolve, reject) => {
        const number = next++;
        waiting.set(number, { resolve, reject });
        child.send({ number, name, argument } satisfies Question);
      }),
    end: () => endChild(child, ended),
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

async function endOf(child: ChildProcess, tell: () => void): Promise<void> {
  await once(child, "exit");
  tell();
}

async function endChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  await ended;
}

/** In the started program: answers calls until the one who started it goes away. */
export function answerCalls(calls: Calls): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => void answerOne(calls, message as Question));
  process.send?.("ready");
}

async function answerOne(calls: Calls, { number, name, argument }: Question): Promise<void> {
  try {
    process.send?.({ number, value: await calls[name]?.(argument as never) } satisfies Answer);
  } catch (error) {
    process.send?.({
      number,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    } satisfies Answer);
  }
}

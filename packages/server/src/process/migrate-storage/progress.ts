/** How far a long command is: what it does with which part, and how many of it are done. */
export interface Progress {
  step: string;
  what: string;
  done: number;
}

/** Where progress is written; a terminal gets one line that is updated. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

const INTERVAL_MS = 1_000;

/** Shows the progress of a command at most once a second, and each finished part once. */
export function showProgress(
  stream: ProgressStream,
  now: () => number,
): { update(progress: Progress): void; end(): void } {
  let last: Progress | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (progress: Progress, end: string) => {
    const line = `${progress.step} ${progress.what}: ${progress.done}`;
    stream.write(stream.isTTY === true ? `\r\u001b[K${line}${end}` : `${line}\n`);
  };
  const finish = () => {
    if (last !== undefined) show(last, "\n");
  };
  return {
    update(progress) {
      const same = last?.step === progress.step && last.what === progress.what;
      if (!same) finish();
      last = progress;
      if (same && now() - shownAt < INTERVAL_MS) return;
      shownAt = now();
      if (same) show(progress, "");
    },
    end: finish,
  };
}

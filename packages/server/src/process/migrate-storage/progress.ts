/** The progress of a long command: its step, the part it works on, and the number of items done. */
export interface Progress {
  step: string;
  what: string;
  done: number;
  /** The total, where it is known. */
  total?: number;
}

/** The destination of progress; a terminal gets one line that is updated. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

const INTERVAL_MS = 1_000;
const BAR_CHARS = 20;

/**
 * Shows the progress of a command at most once a second, and each finished part once. How many of a part there are is
 * also known from an earlier step through the same part.
 */
export function showProgress(
  stream: ProgressStream,
  now: () => number,
): { update(progress: Progress): void; end(): void } {
  let last: Progress | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  const counted = new Map<string, number>();
  const show = (progress: Progress, end: string) => {
    const { step, what, done, total = counted.get(what) } = progress;
    const amount = total === undefined ? `${done}` : `${done} of ${total}`;
    const bar = total === undefined || stream.isTTY !== true ? "" : ` ${barOf(done, total)}`;
    stream.write(
      stream.isTTY === true
        ? `\r\u001b[K${step} ${what}:${bar} ${amount}${end}`
        : `${step} ${what}: ${amount}\n`,
    );
  };
  const finish = () => {
    if (last === undefined) return;
    show(last, "\n");
    counted.set(last.what, last.done);
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

/** A bar that fills as a part is done. */
function barOf(done: number, total: number): string {
  const filled = total === 0 ? BAR_CHARS : Math.floor(Math.min(1, done / total) * BAR_CHARS);
  return `[${"#".repeat(filled)}${" ".repeat(BAR_CHARS - filled)}]`;
}

import type { TransferProgress } from "@letterslot/core";

/** Where progress is shown; a terminal gets one line that changes. */
export interface ProgressStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

const everyMs = 1_000;

/** Shows how far a transfer is, at most once a second, and each part once when it is done. */
export function showProgress(
  stream: ProgressStream,
  now: () => number,
): { tell(progress: TransferProgress): void; end(): void } {
  let last: TransferProgress | undefined;
  let shown = Number.NEGATIVE_INFINITY;
  const show = (progress: TransferProgress, end: string) => {
    const line = `${progress.step} ${progress.what}: ${progress.done}`;
    stream.write(stream.isTTY === true ? `\r\u001b[K${line}${end}` : `${line}\n`);
  };
  const finish = () => {
    if (last !== undefined) show(last, "\n");
  };
  return {
    tell(progress) {
      const same = last?.step === progress.step && last.what === progress.what;
      if (!same) finish();
      last = progress;
      if (same && now() - shown < everyMs) return;
      shown = now();
      if (same) show(progress, "");
    },
    end: finish,
  };
}

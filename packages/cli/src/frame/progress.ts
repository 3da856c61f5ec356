import type { Terminal } from "./terminal.ts";

/** The progress of long work: the number of items done, and their total where it is known. */
export interface Progress {
  what: string;
  done: number;
  total?: number;
}

const BAR_CHARS = 24;
const REDRAW_MS = 100;

/**
 * Shows progress as one line on standard error that is redrawn, only on a terminal. `end` removes it, so that later
 * output starts on a line of its own.
 */
export function showProgress(terminal: Terminal): { update(progress: Progress): void; end(): void } {
  const { stderr, styleError, redraw } = terminal;
  let drawn_at = Number.NEGATIVE_INFINITY;
  return {
    update({ what, done, total }) {
      if (stderr.isTTY !== true || performance.now() - drawn_at < REDRAW_MS) return;
      drawn_at = performance.now();
      const amount = total === undefined ? `${done}` : `${done} of ${total}`;
      const bar = total === undefined ? "" : ` ${styleError("cyan", barOf(done, total))}`;
      redraw(`${what}:${bar} ${amount}`);
    },
    end() {
      if (Number.isFinite(drawn_at)) redraw("");
      drawn_at = Number.NEGATIVE_INFINITY;
    },
  };
}

function barOf(done: number, total: number): string {
  const filled = total === 0 ? BAR_CHARS : Math.floor(Math.min(1, done / total) * BAR_CHARS);
  return "█".repeat(filled) + "░".repeat(BAR_CHARS - filled);
}

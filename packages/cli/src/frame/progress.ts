import type { Terminal } from "./terminal.ts";

/** How far long work is: how many of what are done, and how many there are, where that is known. */
export interface Progress {
  what: string;
  done: number;
  total?: number;
}

const BAR_CHARS = 24;
const REDRAW_MS = 100;
const CLEAR = "\r\u001b[K";

/**
 * A line on standard error that is drawn again as work goes on, only where that is a terminal. `end` removes it, so
 * that what follows starts on a line of its own.
 */
export function showProgress(terminal: Terminal): { update(progress: Progress): void; end(): void } {
  const { stderr, styleError } = terminal;
  let drawn_at = Number.NEGATIVE_INFINITY;
  return {
    update({ what, done, total }) {
      if (stderr.isTTY !== true || performance.now() - drawn_at < REDRAW_MS) return;
      drawn_at = performance.now();
      const amount = total === undefined ? `${done}` : `${done} of ${total}`;
      const bar = total === undefined ? "" : ` ${styleError("cyan", barOf(done, total))}`;
      stderr.write(`${CLEAR}${what}:${bar} ${amount}`);
    },
    end() {
      if (Number.isFinite(drawn_at)) stderr.write(CLEAR);
      drawn_at = Number.NEGATIVE_INFINITY;
    },
  };
}

function barOf(done: number, total: number): string {
  const filled = total === 0 ? BAR_CHARS : Math.floor(Math.min(1, done / total) * BAR_CHARS);
  return "█".repeat(filled) + "░".repeat(BAR_CHARS - filled);
}

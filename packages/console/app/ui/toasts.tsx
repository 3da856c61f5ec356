import { words } from "../words/index.ts";
import { Button } from "./button.tsx";
import { shown } from "./shown.ts";
import { signal } from "./signal.ts";
import { fixOf } from "./states.tsx";

interface Toast {
  id: number;
  text: string;
  /** What to do about what went wrong. */
  fix: string | undefined;
  undo: (() => Promise<unknown>) | undefined;
}

const STAYS_MS = 8_000;
/** What went wrong, and what to do about it, takes longer to read. */
const PROBLEM_STAYS_MS = 20_000;
const toasts = signal<readonly Toast[]>([]);
let last_id = 0;

/**
 * Says what was done, for some seconds, with a button that takes it back where that can be; or what went wrong, with
 * what to do about it.
 */
export function say(said: string | Error, undo?: () => Promise<unknown>): void {
  const id = ++last_id;
  const [text, fix] = typeof said === "string" ? [said, undefined] : [said.message, fixOf(said)];
  // The last word counts: what was said before is gone.
  toasts.set([{ id, text: shown(text), fix, undo }]);
  setTimeout(() => drop(id), typeof said === "string" ? STAYS_MS : PROBLEM_STAYS_MS);
}

const drop = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Takes back what was said: another person or account is looked at, where it can't be undone. */
export const dropToasts = (): void => toasts.set([]);

/** Says so when it is done, but where something else was said meanwhile. */
async function takeBack(undo: () => Promise<unknown>): Promise<void> {
  const before = last_id;
  try {
    await undo();
    if (last_id === before) say(words.undone);
  } catch (error) {
    say(error as Error);
  }
}

/** Where it is said. */
export function Toasts() {
  const said = toasts.use();
  return (
    <div class="toast toast-center bottom-20 z-50 lg:bottom-4" role="status" aria-live="polite">
      {said.map(({ id, text, fix, undo }) => (
        <div
          key={id}
          class="flex items-center gap-3 rounded-lg bg-ink px-4 py-2 whitespace-normal text-sheet shadow-lg"
        >
          <span>
            {text} {fix}
          </span>
          {undo && (
            <Button
              small
              kind="plain"
              class="text-sheet underline hover:text-ink"
              onClick={() => {
                drop(id);
                void takeBack(undo);
              }}
            >
              {words.undo}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}

import { LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Clock } from "../../ports/clock.ts";

/** A check that a long-running call repeats: whether its caller may still do what it does. */
export interface Rights {
  /** Fails as the same call would fail now; reads current records. */
  check(): Promise<void>;
  /** Calls `onEnd` with that failure within a second of the right's end, until the returned function is called. */
  watch(onEnd: (failure: LetterslotError) => void): () => void;
}

/** The rights that this process watches, each checked once however many waits depend on it. */
export interface RightsWatch {
  watch(name: string, check: () => Promise<void>, onEnd: (failure: LetterslotError) => void): () => void;
}

/** Creates the watch of one process. An idle right costs one check a second, shared by all waits of the same name. */
export function createRightsWatch(clock: Clock): RightsWatch {
  const watched = new Map<string, Set<(failure: LetterslotError) => void>>();

  function begin(name: string, check: () => Promise<void>): Set<(failure: LetterslotError) => void> {
    const listeners = new Set<(failure: LetterslotError) => void>();
    watched.set(name, listeners);
    const checkAgain = () => {
      if (listeners.size === 0) {
        if (watched.get(name) === listeners) watched.delete(name);
        return;
      }
      check().then(later, (error: unknown) => {
        // Other errors, such as a storage outage, end no wait.
        if (!isEndOfAccess(error)) return later();
        watched.delete(name);
        for (const onEnd of listeners) onEnd(error);
      });
    };
    const later = () => void clock.after(LIMITS.rights_checked_ms, checkAgain);
    later();
    return listeners;
  }

  return {
    watch(name, check, onEnd) {
      const listeners = watched.get(name) ?? begin(name, check);
      // Each call adds a listener of its own, even if two pass the same function.
      const listener = (failure: LetterslotError) => onEnd(failure);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(["unauthenticated", "forbidden", "not_found", "gone"]);

/** Whether an error says that a right has ended. */
export const isEndOfAccess = (error: unknown): error is LetterslotError =>
  error instanceof LetterslotError && ENDS.has(error.kind);

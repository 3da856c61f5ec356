import type { Signals } from "../signals.ts";

/** Signals within this process: listeners are called before `publish` resolves. */
export function createLocalSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();

  return {
    async publish(channels) {
      for (const channel of new Set(channels)) {
        for (const listener of [...(listeners.get(channel) ?? [])]) callSafely(listener);
      }
    },
    async subscribe(channel, listener) {
      // A wrapper of its own for each subscription: the same function may subscribe twice.
      const own = () => listener();
      const onChannel = listeners.get(channel) ?? new Set();
      listeners.set(channel, onChannel.add(own));
      return () => {
        onChannel.delete(own);
        if (onChannel.size === 0 && listeners.get(channel) === onChannel) listeners.delete(channel);
      };
    },
    async close() {
      listeners.clear();
    },
  };
}

/** One listener's failure is no business of the publisher nor of the other listeners. */
function callSafely(listener: () => void): void {
  try {
    listener();
  } catch {
    // A signal is a hint; whoever listens also looks by themselves.
  }
}

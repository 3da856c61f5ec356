import type { Signals } from "../signals.ts";

/** In-process signals: listeners are called before `publish` resolves. */
export function createLocalSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();

  return {
    async publish(channels) {
      for (const channel of new Set(channels)) {
        for (const listener of [...(listeners.get(channel) ?? [])]) callSafely(listener);
      }
    },
    async subscribe(channel, listener) {
      // One wrapper per subscription, because the same function may subscribe twice.
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

/** A failing listener must not affect the publisher or other listeners. */
function callSafely(listener: () => void): void {
  try {
    listener();
  } catch {
    // A signal is a hint; listeners also poll.
  }
}

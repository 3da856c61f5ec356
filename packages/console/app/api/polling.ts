import { useEffect } from "preact/hooks";

const LOOK_EVERY_MS = 2_000;

/** Looks again and again while `enabled`, where no event tells. */
export function usePolling(enabled: boolean, look: () => void): void {
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  });
}

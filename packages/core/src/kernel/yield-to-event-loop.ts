/**
 * Makes a door that lets one through in each turn of the event loop, in the order they came. Work in long
 * pieces that waits there between them leaves the loop to whatever else is ready: a hundred mails at once
 * then delay a request by one piece, not by all.
 */
export function createYieldToEventLoop(): () => Promise<void> {
  const waiting = new Set<() => void>();
  const next = () => {
    const [first] = waiting;
    if (first === undefined) return;
    // Who has passed is forgotten at once: under load the door may have somebody before it for hours.
    waiting.delete(first);
    first();
    if (waiting.size > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      waiting.add(resolve);
      if (waiting.size === 1) setImmediate(next);
    });
}

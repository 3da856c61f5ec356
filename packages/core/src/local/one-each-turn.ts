/**
 * Makes a door that lets one through in each turn of the event loop, in the order they came. Work in long pieces that waits there
 * between them leaves the loop to whatever else is ready: a hundred mails at once then delay a request by one piece, not by all.
 */
export function oneEachTurn(): () => Promise<void> {
  let waiting: (() => void)[] = [];
  let at = 0;
  const next = () => {
    waiting[at]?.();
    at++;
    if (at < waiting.length) {
      setImmediate(next);
      return;
    }
    waiting = [];
    at = 0;
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

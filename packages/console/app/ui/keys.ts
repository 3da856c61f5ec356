import { useEffect } from "preact/hooks";

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** Whether a key is for the page: nothing is typed into, no dialog is open, and nobody has acted on it. */
function isForPage({ ctrlKey, metaKey, altKey, defaultPrevented, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  if (target instanceof Element && target.matches(TYPED_INTO)) return false;
  return document.querySelector("dialog[open]") === null;
}

/** Acts on single keys, as long as nothing is typed into and no dialog is open. Undefined: the key does nothing now. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (act === undefined || event.repeat || !isForPage(event)) return;
      event.preventDefault();
      act();
    };
    // Before `useRowKeys`, which is for what no view has taken.
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

const ROW = "main [data-rows] > li";

/** What opens each row of the lists that are on the screen, from above to below. */
function rows(): HTMLElement[] {
  const firsts = Array.from(document.querySelectorAll(ROW), (row) =>
    row.querySelector<HTMLElement>("a[href], button:not(:disabled)"),
  );
  return firsts.filter((each) => each !== null).filter((each) => each.checkVisibility());
}

/** Goes through the rows of all lists: j, k and the arrows move, o opens as Enter does. */
export function useRowKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if ((step === undefined && event.key !== "o") || !isForPage(event)) return;
      const found = rows();
      const at = found.findIndex((row) => row.closest(ROW)?.contains(document.activeElement));
      if (step === undefined) {
        if (at >= 0) found[at]?.click();
        return;
      }
      // Elsewhere the arrows scroll, or change what has the focus.
      const elsewhere = document.activeElement?.matches("body, h1") === false;
      if (at < 0 && elsewhere && event.key.startsWith("Arrow")) return;
      const next = at < 0 && step < 0 ? found.at(-1) : found[at + step];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

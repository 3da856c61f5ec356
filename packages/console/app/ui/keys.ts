import { useEffect } from "preact/hooks";

const TYPED_INTO = "input, textarea, select, [contenteditable], dialog[open] *";

/** Acts on single keys, as long as nothing is typed into and no dialog is open. Undefined: the key does nothing now. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, altKey, repeat, target } = event;
      if (ctrlKey || metaKey || altKey || repeat || event.defaultPrevented) return;
      if (target instanceof Element && target.matches(TYPED_INTO)) return;
      const act = keys[event.key];
      if (act === undefined || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

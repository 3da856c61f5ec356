import { followPlaces } from "../api/address.ts";

/** How far a place was scrolled: the page, and the list at its side where that scrolls by itself. */
interface Scrolled {
  page: number;
  list: number;
}

const KEPT = "letterslot.places";
const MOST_KEPT = 200;
/** What marks a list that scrolls by itself. */
const LIST = "[data-keeps-place]";

const list = (): Element | null => document.querySelector(LIST);

/**
 * Keeps lists where they are: a new place begins at its top, and one that is come back to, or loaded anew, is scrolled
 * as it was left, as soon as so much of it is there. Whoever scrolls has the say from then on.
 */
export function keepPlaces(): void {
  const places = new Map<string, Scrolled>(
    JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as [string, Scrolled][],
  );
  let here = "";
  let goal: Scrolled | null = null;
  /** It was there once. It may shrink again: at first, what is measured may still be the view before. */
  let reached = false;
  /** What was at the side of the place before: if it stays, it stays as it is. */
  let stays: Element | null = null;
  const growth = new ResizeObserver(() => approach());
  const settle = () => {
    goal = null;
    growth.disconnect();
  };
  const approach = () => {
    if (goal === null) return;
    scrollTo(0, goal.page);
    const found = list();
    const beside = found === stays ? null : found;
    if (beside !== null) beside.scrollTop = goal.list;
    reached ||=
      Math.abs(scrollY - goal.page) <= 1 && (beside === null || Math.abs(beside.scrollTop - goal.list) <= 1);
  };
  const note = () => {
    if (goal !== null && !reached) return;
    places.delete(here);
    places.set(here, { page: scrollY, list: list()?.scrollTop ?? 0 });
  };
  history.scrollRestoration = "manual";
  followPlaces((key, known) => {
    // Nothing of the new place is drawn yet.
    if (here !== "") note();
    settle();
    here = key;
    stays = list();
    const left = places.get(key);
    if (!known || left === undefined) {
      scrollTo(0, 0);
      return;
    }
    goal = left;
    reached = false;
    growth.observe(document.body);
  });
  addEventListener("scroll", note, { capture: true, passive: true });
  for (const own of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(own, settle, { capture: true, passive: true });
  addEventListener("pagehide", () =>
    sessionStorage.setItem(KEPT, JSON.stringify([...places].slice(-MOST_KEPT))),
  );
}

import type { Page } from "playwright-core";

/** A word of a page and where it is, in CSS pixels from the top left of the page. */
export interface WordBox {
  word: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How far words are from where they were. */
export interface Moved {
  words: number;
  missing: string[];
  median: number;
  /** The distance that 95 of 100 words keep to. */
  most: number;
}

/** Shows HTML in a window of this width, and returns its visible words and how wide the page is. */
export async function wordBoxes(
  page: Page,
  html: string,
  width: number,
): Promise<{ boxes: WordBox[]; width: number }> {
  await page.setViewportSize({ width, height: 900 });
  await page.setContent(html);
  return page.evaluate<{ boxes: WordBox[]; width: number }>(LIST_WORDS);
}

/** Compares each word with the same word of another page, in order. */
export function movedWords(before: readonly WordBox[], after: readonly WordBox[]): Moved {
  const missing: string[] = [];
  const distances: number[] = [];
  let at = 0;
  for (const box of before) {
    const found = after.findIndex(({ word }, index) => index >= at && index < at + 60 && word === box.word);
    const other = after[found];
    if (other === undefined) {
      missing.push(box.word);
      continue;
    }
    distances.push(Math.hypot(other.left - box.left, other.top - box.top));
    at = found + 1;
  }
  distances.sort((one, two) => one - two);
  const share = (part: number) => distances[Math.floor((distances.length - 1) * part)] ?? Number.NaN;
  return { words: before.length, missing, median: share(0.5), most: share(0.95) };
}

/**
 * A template as it is shown without remote images, which the cleaned mail doesn't have either, and as it is on a wide
 * screen: without rules for narrow ones.
 */
export function onWideScreen(html: string): string {
  return withoutNarrowRules(html)
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<img\b[^>]*>/gi, (image) => /\salt\s*=\s*"([^"]*)"/i.exec(image)?.[1] ?? "")
    .replace(/url\([^)]*\)/gi, "none");
}

function withoutNarrowRules(html: string): string {
  const narrow = /@media[^{]*max-(?:device-)?width[^{]*\{/gi;
  let kept = "";
  let at = 0;
  for (let found = narrow.exec(html); found !== null; found = narrow.exec(html)) {
    kept += html.slice(at, found.index);
    let depth = 1;
    for (at = narrow.lastIndex; at < html.length && depth > 0; at += 1)
      depth += html[at] === "{" ? 1 : html[at] === "}" ? -1 : 0;
    narrow.lastIndex = at;
  }
  return kept + html.slice(at);
}

/** Runs in the browser, whose types this workspace doesn't have. */
const LIST_WORDS = String.raw`(() => {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (getComputedStyle(node.parentElement).visibility !== "visible") continue;
    for (const found of node.textContent.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const { left, top, right, bottom, width, height } = range.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      boxes.push({ word: found[0], left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY });
    }
  }
  return { boxes, width: document.documentElement.scrollWidth };
})()`;

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../packages/core/testing/index.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";
import { LIVED_MS, liveIn } from "./lived-in.ts";

/**
 * Every view with long and real content, and every view of an account without any. With SCREENSHOTS set their pictures are
 * taken: each on a phone and on a desk, light and dark.
 */
let world: ConsoleWorld;
let lived: Awaited<ReturnType<typeof liveIn>>;

beforeAll(async () => {
  const clock = createManualClock(new Date(Date.now() - LIVED_MS));
  world = await startConsole({ config: { clock } });
  lived = await liveIn(world.served);
}, 180_000);
afterAll(() => world?.close());

/** The texts that the box around them cuts off, but where it says so by an ellipsis. */
const CUT_OFF = `[...document.querySelectorAll("main *")].flatMap((element) => {
  if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) return [];
  const { right, width } = element.getBoundingClientRect();
  if (width < 2) return [];
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const { overflowX, textOverflow } = getComputedStyle(around);
    // What scrolls isn't cut off, and what is a pixel wide is for those who listen.
    if (["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis" || around.clientWidth <= 1) return [];
    if (overflowX !== "visible" && right > around.getBoundingClientRect().right + 1) return [element.textContent];
  }
  return right > innerWidth + 1 ? [element.textContent] : [];
})`;

async function walk(page: Page, views: Record<string, string>, kind: string): Promise<void> {
  const cut: string[] = [];
  for (const [name, path] of Object.entries(views)) {
    await world.go(page, path);
    // The page of components shows how waiting looks.
    if (name !== "components")
      await page.locator('[role="status"].grid').first().waitFor({ state: "detached" });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const text of await page.evaluate<string[]>(CUT_OFF)) cut.push(`${name}: ${text}`);
    await world.pictures(page, `${kind}-${name}`);
  }
  expect(cut).toEqual([]);
  await page.context().close();
}

test("with long and real content, nothing is cut off on the narrowest phone", async () => {
  await walk(await world.open(lived.email), lived.filled, "filled");
  expect(world.faults()).toEqual([]);
}, 400_000);

test("without any content, each view says what will be there", async () => {
  await walk(await world.open(lived.emptyEmail), lived.empty, "empty");
  expect(world.faults()).toEqual([]);
}, 400_000);

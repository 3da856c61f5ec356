import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Without spaces and comments, which browsers would have to read for every page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Those of axe's rules that depend on colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Runs axe (WCAG 2.2 up to AA, and best practices) on a page. Returns one line per violation. */
export function findAxeViolations(page: Page): Promise<string[]> {
  return run(page, {});
}

/**
 * Runs those rules of axe that depend on colours. For a page on which all rules have run, and which has only other
 * colours now.
 */
export function findColourViolations(page: Page): Promise<string[]> {
  return run(page, { runOnly: COLOUR_RULES });
}

async function run(page: Page, options: object): Promise<string[]> {
  // The 0 is sent back, in place of all that axe exports.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${AXE};0`);
  const found = await page.evaluate<Pick<AxeResults, "violations">>(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...options })}).then(({ violations }) => ({ violations }))`,
  );
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(" ")}: ${help}`),
  );
}

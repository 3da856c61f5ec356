import axe from "axe-core";
import type { Page } from "playwright-core";

/** Runs axe (WCAG 2.2 up to AA, and best practices) on a page. Returns one line per violation. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<axe.AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(" ")}: ${help}`),
  );
}

import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe finds wrong with a page, one line for each place; rules of WCAG 2.2 up to AA and its best
 * practices.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<axe.AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(" ")}: ${help}`),
  );
}

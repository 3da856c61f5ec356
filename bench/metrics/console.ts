import { fileURLToPath } from "node:url";
import { startPhoneBrowser } from "../../test/support/phone-browser.ts";
import { until } from "../../test/support/until.ts";
import { buildStore } from "../mail/store.ts";
import { withCleanup } from "../measure/cleanup.ts";
import { startProduct } from "../measure/product.ts";
import { median, summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const FEW = 100;
const MANY = 100_000;
const VIEWS = { quick: 3, usual: 40 };
/** What the first view shows last. */
const SHOWN = "Your agents today";
/** From source: the shipped server's packages are built here without the console's site. */
const SERVER = fileURLToPath(new URL("../../packages/server/src/main.js", import.meta.url));

/** The console's first view beside few and many mails, in a real Chromium. */
export const consoleView: Metric = {
  title: "The console's first view beside 100 mails and beside 100,000",
  measure: (run) =>
    withCleanup(async (cleanups) => {
      const browser = await startPhoneBrowser();
      cleanups.push(browser.close);
      const open = async (mails: number) => {
        const store = await buildStore(mails, run.seed, run.log);
        const product = await startProduct(store.folder, { SMTP_PORT: "off" }, [], SERVER);
        cleanups.push(product.end);
        const address = `${product.base_url}/console/`;
        await until("the console's site", async () => (await fetch(address)).ok);
        const page = await browser.open("about:blank", { desk: true });
        await page.addInitScript(`if (location.protocol === "http:") {
          sessionStorage.setItem("letterslot.key", ${JSON.stringify(store.api_key)});
          new MutationObserver((_, watcher) => {
            if (!document.body?.textContent.includes(${JSON.stringify(SHOWN)})) return;
            window.shown_at = performance.now();
            watcher.disconnect();
          }).observe(document, { childList: true, subtree: true });
        }`);
        /** The milliseconds from the navigation until the view is there. */
        return async (): Promise<number> => {
          await page.goto("about:blank");
          await page.goto(address);
          await page.getByText(SHOWN).waitFor();
          return page.evaluate<number>("window.shown_at");
        };
      };
      const few = await open(FEW);
      const many = await open(Math.min(MANY, run.mails));
      const times: { few: number[]; many: number[] } = { few: [], many: [] };
      // The first of each compiles what the others find compiled.
      await few();
      await many();
      for (let view = 0; view < (run.quick ? VIEWS.quick : VIEWS.usual); view++) {
        times.few.push(await few());
        times.many.push(await many());
      }
      return {
        figures: [
          {
            name: "console: first view beside many mails / beside few",
            unit: "×",
            value: median(times.many) / median(times.few),
            target: { at_most: 1.5 },
          },
          { name: `console: first view beside ${FEW} mails`, unit: "ms", ...summary(times.few) },
          { name: "console: first view beside many mails", unit: "ms", ...summary(times.many) },
        ],
      };
    }),
};

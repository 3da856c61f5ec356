import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createLetterslot } from "@letterslot/core";
import type { Page } from "playwright-core";
import { capturedCode } from "../../test/support/consent.ts";
import { startPhoneBrowser } from "../../test/support/phone-browser.ts";
import { until } from "../../test/support/until.ts";
import { buildStore, type Store } from "../mail/store.ts";
import { withCleanup } from "../measure/cleanup.ts";
import { startProduct } from "../measure/product.ts";
import { createConfig, openEngine } from "../measure/service.ts";
import { median, summary } from "../measure/statistics.ts";
import type { Metric } from "../metric.ts";

const FEW = 100;
const MANY = 100_000;
const VIEWS = { quick: 3, usual: 40 };
/** What the first view shows last. */
const SHOWN = "Your agents today";
/** From source: the shipped server's packages are built here without the console's site. */
const SERVER = fileURLToPath(new URL("../../packages/server/src/main.js", import.meta.url));

/** Gives a person charge of a store's account, and returns their address. */
async function personOf({ folder, account_id }: Store): Promise<string> {
  const email = `${randomUUID()}@people.example`;
  const letterslot = createLetterslot(createConfig(await openEngine({ folder })));
  try {
    await letterslot.operator.accounts.authority.give({ account_id, email });
  } finally {
    await letterslot.services.storage.close();
  }
  return email;
}

/** Signs a person in, with the code that the server captured for them. */
async function signIn(page: Page, email: string, folder: string): Promise<void> {
  await page.getByLabel("Your email address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("The code from the email").fill(await capturedCode(folder, email));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(SHOWN).waitFor();
}

/** The console's first view for a person who is signed in, beside few and many mails, in a real Chromium. */
export const consoleView: Metric = {
  title: "The console's first view beside 100 mails and beside 100,000",
  measure: (run) =>
    withCleanup(async (cleanups) => {
      const browser = await startPhoneBrowser();
      cleanups.push(browser.close);
      const open = async (mails: number) => {
        const store = await buildStore(mails, run.seed, run.log);
        const email = await personOf(store);
        const product = await startProduct(store.folder, { SMTP_PORT: "off" }, [], SERVER);
        cleanups.push(product.end);
        const address = `${product.base_url}/console/`;
        await until("the console's site", async () => (await fetch(address)).ok);
        const page = await browser.open("about:blank", { desk: true });
        await page.goto(address);
        await signIn(page, email, store.folder);
        await page.addInitScript(`if (location.protocol === "http:") {
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

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const pictures = fileURLToPath(new URL("../../test-output/pages", import.meta.url));
const fallbackPath = "/usr/bin/chromium";

/** How a page is looked at: on a phone in daylight unless stated. */
export interface Look {
  dark?: boolean;
  /** A screen of 1280 by 800. */
  desk?: boolean;
}

/** A real Chromium with the screen of a phone. */
export interface PhoneBrowser {
  /** Opens a page of its own, without anything from earlier ones. */
  open(url: string, look?: Look): Promise<Page>;
  /** Keeps a picture of the page in `test-output/pages/`. */
  picture(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the Chromium that CHROMIUM_PATH names. */
export async function phoneBrowser(): Promise<PhoneBrowser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? fallbackPath;
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: 60_000 });
  return {
    async open(url, { dark = false, desk = false } = {}) {
      const phone = {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
      };
      const context = await browser.newContext({
        ...(desk ? { viewport: { width: 1280, height: 800 } } : phone),
        colorScheme: dark ? "dark" : "light",
      });
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async picture(page, name) {
      const path = join(pictures, `${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path, fullPage: true });
    },
    close: () => browser.close(),
  };
}

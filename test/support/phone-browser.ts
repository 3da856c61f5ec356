import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const SCREENSHOTS = fileURLToPath(new URL("../../test-output/pages", import.meta.url));
const FALLBACK_PATH = "/usr/bin/chromium";

/**
 * Features that Chromium runs without: the lists under its address bar, which take longer to load in each new context
 * than the pages of most tests, and those that Playwright turns off, since its own list doesn't count beside this one.
 */
const TURNED_OFF = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
];

/** A page's display; by default a phone with light colours. */
export interface Look {
  dark?: boolean;
  /** A screen of 1280 by 800. */
  desk?: boolean;
}

/** A real Chromium with a phone's screen. */
export interface PhoneBrowser {
  browser: Browser;
  /** Opens a page in a new browser context. */
  open(url: string, look?: Look): Promise<Page>;
  /** Saves a screenshot in `test-output/pages/`, if SCREENSHOTS is set: it takes longer than most tests. */
  screenshot(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the Chromium named by CHROMIUM_PATH. */
export async function startPhoneBrowser(): Promise<PhoneBrowser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? FALLBACK_PATH;
  const args = ["--no-sandbox", "--disable-gpu", `--disable-features=${TURNED_OFF.join(",")}`];
  const browser: Browser = await chromium.launch({ executablePath, args, timeout: 60_000 });
  return {
    browser,
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
    async screenshot(page, name) {
      if (process.env["SCREENSHOTS"] === undefined) return;
      const path = join(SCREENSHOTS, `${name}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await page.screenshot({ path, fullPage: true });
    },
    close: () => browser.close(),
  };
}

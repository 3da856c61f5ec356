import type { Page } from "playwright-core";
import { expect } from "vitest";
import { createConsole } from "../../packages/console/src/index.ts";
import { siteDirectory } from "../../packages/console/src/site.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { findAxeViolations, findColourViolations } from "../support/axe.ts";
import { type Look, type PhoneBrowser, startPhoneBrowser } from "../support/phone-browser.ts";
import { signInOverWire } from "../support/sign-in-over-wire.ts";
import { until } from "../support/until.ts";

/** The narrowest phone, in CSS pixels. */
const NARROWEST = 360;
/** The screens of which pictures are taken. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;

/** The console of a service in memory, in a real browser. */
export interface ConsoleWorld {
  served: Served;
  browser: PhoneBrowser;
  /** Opens the console at a place (`/approvals`) for a person who is signed in, or for nobody. */
  open(email: string | null, path?: string, look?: Look): Promise<Page>;
  /** Goes to another place of the console. */
  go(page: Page, path: string): Promise<void>;
  /** Checks a view as it is now: axe in both themes, nothing wider than the screen, nor than a narrower phone's. Takes its pictures. */
  look(page: Page, name: string): Promise<void>;
  /** Takes pictures of a view in both themes, on a phone and on a desk, if SCREENSHOTS is set. */
  pictures(page: Page, name: string): Promise<void>;
  /** Errors, CSP reports and requests beyond the server since the last call. */
  faults(): string[];
  close(): Promise<void>;
}

/** Starts it; a `baseUrl` is how it is reached, too. */
export async function startConsole(options: Parameters<typeof serve>[0] = {}): Promise<ConsoleWorld> {
  const [served, browser] = await Promise.all([
    serve({ console: createConsole({ passkeys: true }), ...options }),
    startPhoneBrowser(),
  ]);
  await until("the built console", async () => siteDirectory());
  const found: string[] = [];
  const site = options.config?.baseUrl ?? served.base_url;
  const address = (path: string) => `${site}/console/#${path}`;

  const watch = (page: Page) => {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") found.push(message.text());
    });
    page.on("pageerror", (error) => found.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(site) && !request.url().startsWith("blob:"))
        found.push(`request to ${request.url()}`);
    });
  };

  const world: ConsoleWorld = {
    served,
    browser,
    async open(email, path = "/", look = {}) {
      const page = await browser.open("about:blank", look);
      watch(page);
      // Colours that are on their way from one theme to the other are no colours of a theme.
      await page.emulateMedia({ reducedMotion: "reduce" });
      if (email !== null)
        await page.context().addCookies([{ ...(await sessionOf(served, email)), url: site }]);
      await page.goto(address(path));
      await page.locator("main h1:visible").first().waitFor();
      return page;
    },
    async go(page, path) {
      await page.goto(address(path));
      await page.locator("main h1:visible").first().waitFor();
    },
    async look(page, name) {
      await settle(page);
      const wider = await page.evaluate("document.documentElement.scrollWidth - screen.width");
      expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
      const size = page.viewportSize();
      if (size !== null && size.width < 500) {
        await page.setViewportSize({ ...size, width: NARROWEST });
        const width = await page.evaluate("document.documentElement.scrollWidth");
        await page.setViewportSize(size);
        expect(width, `${name} is wider than ${NARROWEST} px`).toBeLessThanOrEqual(NARROWEST);
      }
      expect(await findAxeViolations(page), name).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await settle(page);
      expect(await findColourViolations(page), `${name}, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      await world.pictures(page, name);
    },
    async pictures(page, name) {
      const before = page.viewportSize();
      if (process.env["SCREENSHOTS"] === undefined || before === null) return;
      for (const colorScheme of ["light", "dark"] as const)
        for (const screen of SCREENS) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(screen);
          // As high as all of it: what sticks to the screen's foot stands at the picture's.
          const height = await page.evaluate<number>("document.documentElement.scrollHeight");
          await page.setViewportSize({ ...screen, height });
          await settle(page);
          await browser.screenshot(page, `console/${name}-${screen.width}-${colorScheme}`);
        }
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize(before);
    },
    faults: () => found.splice(0),
    close: async () => void (await Promise.all([served.close(), browser.close()])),
  };
  return world;
}

/**
 * Waits until what has just changed is painted, and has all styles computed anew: when the theme changes under a page,
 * Chromium keeps the old colour of single elements at times.
 */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    document.body.style.display = "none";
    document.body.getBoundingClientRect();
    document.body.style.display = "";
    done();
  })))`);

/** Signs a person in over HTTP, with the code from their letter. */
async function sessionOf(served: Served, email: string): Promise<{ name: string; value: string }> {
  const { cookie = "" } = await signInOverWire(served, email);
  const [name = "", value = ""] = cookie.split("=");
  return { name, value };
}

import type { BrowserContext, Page, Request } from "playwright-core";
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
const LOOK_MS = 25;
/** A view asks for nothing more after that many looks at which nothing was on its way. */
const QUIET_LOOKS = 4;
/** The screens of which pictures are taken. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;

/** The console of a service in memory, in a real browser. */
export interface ConsoleWorld {
  served: Served;
  /** Whatever is opened with it is watched, too. */
  browser: PhoneBrowser;
  /** Opens the console at a place (`/approvals`) for a person who is signed in, or for nobody. */
  open(email: string | null, path?: string, look?: Look): Promise<Page>;
  /** Goes to another place of the console. */
  go(page: Page, path: string): Promise<void>;
  /** Waits until a view is there, and nothing that it asks for is on its way. */
  settled(page: Page): Promise<void>;
  /** Checks a view as it is now: axe in both themes, nothing wider than the screen, nor than a narrower phone's. Takes its pictures. */
  look(page: Page, name: string): Promise<void>;
  /** Takes pictures of a view in both themes, on a phone and on a desk, if SCREENSHOTS is set. */
  pictures(page: Page, name: string): Promise<void>;
  /** What is wrong with a view as it is now: the rules of axe that it breaks, and how it is wider than the screen. */
  faultsOf(page: Page): Promise<string[]>;
  /** Errors, CSP reports and requests beyond the server of all pages since the last call. */
  faults(): string[];
  /** Fails if there are faults that nobody asked for. */
  close(): Promise<void>;
}

/** Starts it; a `baseUrl` is how it is reached, too. */
export async function startConsole(options: Parameters<typeof serve>[0] = {}): Promise<ConsoleWorld> {
  const [served, unwatched] = await Promise.all([
    serve({ console: createConsole({ passkeys: true }), ...options }),
    startPhoneBrowser(),
  ]);
  await until("the built console", async () => siteDirectory());
  const found: string[] = [];
  const onTheirWay = new WeakMap<BrowserContext, Set<Request>>();
  const site = options.config?.baseUrl ?? served.base_url;
  const address = (path: string) => `${site}/console/#${path}`;

  const { port } = new URL(served.base_url);
  const isOwn = (url: string): boolean => {
    if ([`${site}/`, `${served.base_url}/`, "blob:", "about:"].some((own) => url.startsWith(own)))
      return true;
    // Chromium leads every name below localhost to this machine.
    const { hostname, port: asked } = new URL(url);
    return hostname.endsWith(".localhost") && asked === port;
  };
  const watch = (context: BrowserContext) => {
    const under_way = new Set<Request>();
    onTheirWay.set(context, under_way);
    context.on("request", (request) => {
      // What is followed as it happens doesn't end.
      if (!request.url().includes("/events/stream")) under_way.add(request);
    });
    context.on("requestfinished", (request) => void under_way.delete(request));
    context.on("requestfailed", (request) => void under_way.delete(request));
    context.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") found.push(message.text());
    });
    context.on("weberror", (thrown) => found.push(thrown.error().message));
    context.on("request", (request) => {
      const url = request.url();
      if (!isOwn(url)) found.push(`request to ${url}`);
    });
  };
  const browser: PhoneBrowser = {
    ...unwatched,
    async open(url, look) {
      const page = await unwatched.open("about:blank", look);
      watch(page.context());
      if (url !== "about:blank") await page.goto(url);
      return page;
    },
  };

  const world: ConsoleWorld = {
    served,
    browser,
    async open(email, path = "/", look = {}) {
      const page = await browser.open("about:blank", look);
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
    async settled(page) {
      await page.locator("main h1:visible").first().waitFor();
      const under_way = onTheirWay.get(page.context());
      // Between an answer and what is asked because of it, a view is drawn.
      for (let quiet = 0; quiet < QUIET_LOOKS; quiet = under_way?.size === 0 ? quiet + 1 : 0)
        await page.waitForTimeout(LOOK_MS);
      await page.locator('main [role="status"].grid').first().waitFor({ state: "detached" });
    },
    async look(page, name) {
      expect(await world.faultsOf(page), name).toEqual([]);
      await world.pictures(page, name);
    },
    async faultsOf(page) {
      const faults: string[] = [];
      const size = page.viewportSize();
      const widths = size !== null && size.width < 500 ? [size.width, NARROWEST] : [size?.width ?? 0];
      for (const width of widths) {
        if (size !== null && width !== size.width) await page.setViewportSize({ ...size, width });
        const wider = await page.evaluate<string | null>(WIDEST);
        if (wider !== null) faults.push(`wider than a screen of ${width} px by ${wider}`);
      }
      if (size !== null && widths.length > 1) await page.setViewportSize(size);
      await settle(page);
      faults.push(...(await findAxeViolations(page)));
      await page.emulateMedia({ colorScheme: "dark" });
      await settle(page);
      for (const fault of await findColourViolations(page)) faults.push(`dark: ${fault}`);
      await page.emulateMedia({ colorScheme: "light" });
      return faults;
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
    async close() {
      const left = found.splice(0);
      await Promise.all([served.close(), browser.close()]);
      if (left.length > 0) throw new Error(`Faults that nobody asked for:\n${left.join("\n")}`);
    },
  };
  return world;
}

/** What makes a page wider than its screen. */
const WIDEST = `(() => {
  if (document.documentElement.scrollWidth <= screen.width) return null;
  const clips = (element) => element !== null && (getComputedStyle(element).overflowX !== "visible" || clips(element.parentElement));
  const ends = [...document.querySelectorAll("body *")]
    .filter((element) => !clips(element.parentElement.closest("body *")))
    .map((element) => [element.getBoundingClientRect().right, element]);
  return ends.reduce((widest, each) => (each[0] > widest[0] ? each : widest))[1].outerHTML.slice(0, 300);
})()`;

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

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signedBy } from "../../packages/core/testing/index.ts";
import { HOSTILE_HTML } from "../support/hostile-html.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const TO = "ada@letterslot.localhost";
/** No request beyond the server is let through; these would be requests to a server that notes them. */
const TRAP = "http://trap.example";
const END = "The end of it";

/** Each class of payloads as one mail, then what is large, deep, or asks by styles and fonts. */
const MAILS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(HOSTILE_HTML).map(([kind, all]) => [kind, all.join("\n<hr>\n")])),
  "styles that tell": `<style>@import "TRAP/import.css"; @font-face { font-family: f; src: url(TRAP/font.woff2) }
    p[title^="a"] { background: url(TRAP/starts-with-a) } p { font-family: f; background: image-set("TRAP/set.png" 1x) }
    p::first-line { background: url(TRAP/line) } @supports (display: grid) { p { list-style: url(TRAP/list) } }</style>
    <p title="abc" style="background: url(TRAP/style); cursor: url(TRAP/cursor), auto">Hello</p>
    <form action="TRAP/form"><input name="password" value="secret"><button>Go</button></form>`,
  deep: "<div>".repeat(50_000),
  "deep tables": "<table><tr><td>".repeat(10_000),
  huge: "<p style='color:red'>Words and <b>more</b> of them.</p>".repeat(10_000),
};

let world: ConsoleWorld;
let page: Page;
const dialogs: string[] = [];

beforeAll(async () => {
  world = await startConsole();
  const person = { email: GRACE, session_id: null, ip: null };
  const { id, account_id } = await world.served.letterslot.openAccountFor(person, { username: "ada" });
  // Screening would hold some, which is proven elsewhere: here all of it is shown.
  const owner = world.served.letterslot.asOwner({ email: GRACE, account_id });
  await owner.inboxes.update({ inbox_id: id, screening: "off" });
  for (const [kind, html] of Object.entries(MAILS))
    await world.served.receive(
      {
        from: "mallory@evil.example",
        to: TO,
        subject: `Hostile (${kind})`,
        html: `<p>Hello</p>${html.replaceAll("TRAP", TRAP)}<p>${END}</p>`,
      },
      signedBy("evil.example"),
    );
  page = await world.open(GRACE, `/inboxes/${id}`, { desk: true });
  page.context().on("page", (opened) => dialogs.push(`opened ${opened.url()}`));
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    // Its page may be gone by then.
    void dialog.dismiss().catch(() => undefined);
  });
}, 180_000);
afterAll(() => world?.close());

test.each(Object.keys(MAILS))(
  "the console shows hostile mail, and nothing of it runs or asks: %s",
  async (kind) => {
    const subject = `Hostile (${kind})`;
    await page.getByRole("link", { name: subject }).click();
    await page.getByRole("heading", { level: 1, name: subject }).waitFor();
    await page.getByRole("button", { name: "As designed" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByText("Hello").first().waitFor();
    // What can't be pressed does nothing either.
    for (const go of await frame.locator("#go:visible").all())
      await go.click({ timeout: 1_000, force: true }).catch(() => undefined);
    const place = page.url();
    await page.waitForTimeout(200);
    expect(page.frames()[1]?.url()).toMatch(/\/view\/lsv/);
    expect(page.url()).toBe(place);
    // What is around the frame goes on as before.
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator("iframe").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await expect.poll(() => page.title()).not.toBe("");
    expect([dialogs.splice(0), world.faults()]).toEqual([[], []]);
  },
);

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { consoleOf } from "./app.ts";
import { createConsole } from "./index.ts";
import { createSite, siteDirectory } from "./site.ts";

// As the service's app, which knows no difference between paths with a slash at their end and without.
const app = new Hono({ strict: false }).route("/mail/console", createConsole({ outbox: true }));

test("its address without a slash leads to the one beside its files", async () => {
  const answer = await app.request("/mail/console");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "console/"]);
});

test("the page runs scripts of its own alone, and says what the service has", async () => {
  await expect.poll(siteDirectory, { timeout: 60_000 }).toBeDefined();
  const answer = await app.request("/mail/console/", { headers: { cookie: "a=b; __Host-ls_session=x" } });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(page).toContain(`content='{"outbox":true,"session":true}'`);
  expect(page).not.toMatch(/<script(?![^>]* src="\.\/)|<style|\sstyle=|\son\w+=/);

  const [, script = ""] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
  const file = await app.request(`/mail/console/${script}`, { headers: { "accept-encoding": "gzip" } });
  expect([file.status, file.headers.get("content-encoding"), file.headers.get("cache-control")]).toEqual([
    200,
    "gzip",
    "public, max-age=31536000, immutable",
  ]);
});

test.each([
  "/mail/console/assets/nothing.js",
  "/mail/console/assets/..%2f..%2fpackage.json",
  "/mail/console/else",
])("%s is nothing", async (path) => {
  expect((await app.request(path)).status).toBe(404);
});

const INDEX = `<!doctype html><title>A site</title><meta name="letterslot" content="{}"><script type="module" src="./main.js"></script>`;

test("while Vite works its page says so, and says that it failed and what to run, until it is built", async () => {
  const root = mkdtempSync(join(tmpdir(), "letterslot-site-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "app"));
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(root, "node_modules"));
  const main = (code: string) => writeFileSync(join(root, "app/main.js"), code);
  writeFileSync(join(root, "app/index.html"), INDEX);
  writeFileSync(
    join(root, "vite.config.ts"),
    `export default { root: "app", base: "./", build: { outDir: "../dist/site" } };`,
  );
  main("import nothing from './gone.js'; nothing();");
  const logged: string[] = [];
  const open = async () => {
    const answer = await broken.request("/console/");
    return { status: answer.status, headers: answer.headers, page: await answer.text() };
  };
  const broken = new Hono({ strict: false }).route(
    "/console",
    consoleOf(
      createSite(root, (text) => logged.push(text)),
      {},
    ),
  );
  const first = await open();
  expect([first.status, first.headers.get("refresh")]).toEqual([503, "5"]);
  expect(first.page).toContain("The console is being built");
  await expect.poll(() => logged, { timeout: 30_000 }).toHaveLength(1);
  expect(logged[0]).toContain("could not be built (exit code 1)");
  expect(logged[0]).toContain("gone.js");
  const failed = await open();
  expect([failed.status, failed.headers.get("refresh")]).toEqual([503, null]);
  expect(failed.page).toContain("could not be built");
  expect(failed.page).toContain("ended with exit code 1");
  expect(failed.page).toContain("npx -y pnpm@12 --filter @letterslot/console exec vite build");
  // What only the log is for doesn't stand on it.
  expect(failed.page).not.toContain(root);

  main("console.log('built');");
  mkdirSync(join(root, "dist/site"), { recursive: true });
  writeFileSync(join(root, "dist/site/index.html"), INDEX);
  expect(await open()).toMatchObject({ status: 200, page: expect.stringContaining("A site") });
});

test("the two pages have the look of all pages, under a policy that lets in their style alone", async () => {
  const root = mkdtempSync(join(tmpdir(), "letterslot-site-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "app"));
  const logged: string[] = [];
  // There is no Vite in it.
  const unbuilt = new Hono({ strict: false }).route(
    "/console",
    consoleOf(
      createSite(root, (text) => logged.push(text)),
      {},
    ),
  );
  const answer = await unbuilt.request("/console/");
  const page = await answer.text();
  expect(page).toContain("--paper:");
  expect(page).toContain("<svg");
  const [, style = ""] = /<style>([^<]*)<\/style>/.exec(page) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
  await expect.poll(() => logged, { timeout: 30_000 }).toHaveLength(1);
});

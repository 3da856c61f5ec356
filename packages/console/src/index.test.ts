import { Hono } from "hono";
import { expect, test } from "vitest";
import { createConsole } from "./index.ts";
import { siteDirectory } from "./site.ts";

// As the service's app, which knows no difference between paths with a slash at their end and without.
const app = new Hono({ strict: false }).route("/mail/console", createConsole({ outbox: true }));

/** To the letter: whatever is let in beyond this is a decision. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";

test("its address without a slash leads to the one beside its files", async () => {
  const answer = await app.request("/mail/console");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "console/"]);
});

test("the page runs scripts of its own alone, and says what the service has", async () => {
  await expect.poll(siteDirectory, { timeout: 60_000 }).toBeDefined();
  const answer = await app.request("/mail/console/", { headers: { cookie: "a=b; __Host-ls_session=x" } });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-security-policy")).toBe(POLICY);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(page).toContain(`content='{"outbox":true,"session":true}'`);
  expect(page).not.toMatch(/http-equiv/i);
  expect(page).not.toMatch(/<script(?![^>]* src="\.\/)|<style|\sstyle=|\son\w+=/);

  const [, script = ""] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page) ?? [];
  const file = await app.request(`/mail/console/${script}`, { headers: { "accept-encoding": "gzip" } });
  expect([file.status, file.headers.get("content-encoding"), file.headers.get("cache-control")]).toEqual([
    200,
    "gzip",
    "public, max-age=31536000, immutable",
  ]);
  expect(file.headers.get("content-security-policy")).toBe(POLICY);
});

test.each([
  "/mail/console/assets/nothing.js",
  "/mail/console/assets/..%2f..%2fpackage.json",
  "/mail/console/else",
])("%s is nothing", async (path) => {
  expect((await app.request(path)).status).toBe(404);
});

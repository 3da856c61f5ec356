import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const get = (path: string, accept = "text/html") =>
  fetch(`${served.base_url}${path}`, { headers: { accept }, redirect: "manual" });

test.each([
  ["/sign-in", "Sign in"],
  ["/write", "Write to your agent"],
  ["/apps", "Sign in"],
  ["/recover", "Recover"],
])("%s leads to a page", async (path, words) => {
  const response = await get(path);
  expect(response.status).toBe(302);
  const page = await fetch(new URL(response.headers.get("location") ?? "", `${served.base_url}${path}`), {
    headers: { accept: "text/html" },
  });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(words);
});

test.each(["/favicon.ico", "/favicon.svg"])("%s is the mark", async (path) => {
  const response = await get(path);
  expect(response.headers.get("content-type")).toBe("image/svg+xml");
  expect(await response.text()).toMatch(/^<svg /);
});

test("an address without anything is a page for browsers and an error for programs", async () => {
  const page = await get("/nowhere");
  expect(page.status).toBe(404);
  expect(await page.text()).toContain("There is nothing here");
  const error = await get("/nowhere", "application/json");
  expect(error.status).toBe(404);
  expect(((await error.json()) as { error: { code: string } }).error.code).toBe("route_not_found");
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const MAX_REQUESTS = 6;
const MAX_BYTES = 200_000;

let world: ConsoleWorld;

beforeAll(async () => {
  world = await startConsole();
}, 180_000);
afterAll(() => world?.close());

test(`the first view takes at most ${MAX_REQUESTS} requests and ${MAX_BYTES / 1000} kB`, async () => {
  const { served } = world;
  const person = { email: GRACE, session_id: null, ip: null };
  await served.letterslot.openAccountFor(person, { username: "ada" });
  await served.receive({
    from: "x@shop.example",
    to: "ada@letterslot.localhost",
    subject: "Hello",
    text: "Hello",
  });
  const before = await world.open(GRACE, "/you");
  // The session, in a browser whose cache is empty.
  const page = await world.browser.open("about:blank");
  await page.context().addCookies(await before.context().cookies());
  const asked: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on("request", (request) => asked.push(request.url().replace(served.base_url, "")));
  page.on("requestfinished", (request) =>
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize)),
  );
  await page.goto(`${served.base_url}/console/`);
  await page.getByText("Your agents today").waitFor();
  const follows = asked.findIndex((path) => path.includes("/events/stream"));
  const seen = follows === -1 ? asked : asked.slice(0, follows);
  expect(seen, "the stream comes after what is seen").toContain("/api/v1/overview?time_zone=UTC");
  expect(seen.length, seen.join("\n")).toBeLessThanOrEqual(MAX_REQUESTS);
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(world.faults()).toEqual([]);
});

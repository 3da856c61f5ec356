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
  const page = await world.open(GRACE, "/you");
  await page.goto("about:blank");
  const asked: { url: string; bytes: Promise<number> }[] = [];
  page.on("response", (response) => {
    // The stream of events stays open: what came of it till then is little.
    const streams = response.url().includes("/stream");
    const sizes = streams
      ? Promise.resolve(0)
      : response
          .request()
          .sizes()
          .then((size) => size.responseBodySize + size.responseHeadersSize);
    asked.push({ url: response.url(), bytes: sizes });
  });
  await page.goto(`${served.base_url}/console/`);
  await page.getByText("Your agents today").waitFor();
  await page.waitForLoadState("load");
  const bytes = (await Promise.all(asked.map((each) => each.bytes))).reduce((sum, each) => sum + each, 0);
  expect(
    asked.map(({ url }) => url.replace(served.base_url, "")).length,
    asked.map(({ url }) => url).join("\n"),
  ).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(world.faults()).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryStorage } from "../../packages/core/testing/index.ts";
import { caseCount } from "../support/case-count.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const MAX_REQUESTS = 6;
const MAX_BYTES = 200_000;

const FEW = 60;
const MANY = caseCount(400, 2_000);

let world: ConsoleWorld;
/** What was read of the storage. */
const read = { calls: 0, records: 0 };

beforeAll(async () => {
  const storage = new Proxy(createMemoryStorage(), {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (!["find", "get", "follow", "count", "search"].includes(name)) return value.bind(target);
      return async (...given: unknown[]) => {
        const found: unknown = await value.apply(target, given);
        read.calls += 1;
        read.records += Array.isArray(found) ? found.length : 1;
        return found;
      };
    },
  });
  world = await startConsole({ config: { storage } });
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

test(`the first view reads as much beside ${MANY} mails as beside ${FEW}`, async () => {
  const { served } = world;
  const email = "heidi@example.com";
  await served.letterslot.openAccountFor({ email, session_id: null, ip: null }, { username: "bob" });
  const fill = async (mails: number) => {
    const mail = { from: "x@shop.example", to: "bob@letterslot.localhost", text: "Hello" };
    for (let number = 0; number < mails; number++)
      await served.receive({ ...mail, subject: `Hello ${number}` });
  };
  /** What is read from the page's first request until nothing more is asked. */
  const cost = async () => {
    await served.clock.advance(24 * 3600_000);
    const page = await world.open(email);
    // What follows comes after what is seen.
    await page.route("**/events/stream*", () => undefined);
    Object.assign(read, { calls: 0, records: 0 });
    await page.goto("about:blank");
    await page.goto(`${served.base_url}/console/`);
    await page.getByText("Your agents today").waitFor();
    await world.settled(page);
    const found = { ...read };
    await page.context().close();
    return found;
  };
  await fill(FEW);
  const few = await cost();
  expect(few.calls).toBeGreaterThan(5);
  await fill(MANY - FEW);
  expect(await cost()).toEqual(few);
  expect(world.faults()).toEqual([]);
}, 120_000);

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../packages/cli/src/catalogue/operations.data.ts";
import { operations } from "../../packages/core/internal/index.ts";
import { startCliWorldWithAccount } from "./cli-world.ts";

let world: Awaited<ReturnType<typeof startCliWorldWithAccount>>;
beforeAll(async () => {
  world = await startCliWorldWithAccount();
});
afterAll(() => world?.close());

test("every operation of the catalogue can be called, with all its fields", () => {
  const all = Object.entries(operations).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(
      ([verb, { input }]) => [`${group}.${verb}`, Object.keys(input.shape).sort()] as const,
    ),
  );
  expect(all.length).toBeGreaterThan(150);
  for (const [name, fields] of all)
    expect(Object.keys(OPERATIONS[name]?.fields ?? {}).sort(), name).toEqual(fields);
});

/** The inbox is the profile's. */
const send = (...more: string[]) => ["call", "messages.send", "--to", world.email, ...more];

test("values come from files and from standard input, and @@ is one @", async () => {
  const file = join(world.home, "letter.txt");
  writeFileSync(file, "From a file.");
  const sent = await world.run(send("--subject", "@@home", "--text", `@${file}`));
  expect(sent.json(), sent.err).toMatchObject([{ subject: "@home", text: "From a file." }]);
  const piped = await world.run(send("--text", "-"), { input: "From a pipe." });
  expect(piped.json()).toMatchObject([{ text: "From a pipe." }]);
  expect(await world.run(send("--text", "@/nowhere/at/all"))).toMatchObject({ code: 1 });
  expect(await world.run(send("--text", "-", "--subject", "-"))).toMatchObject({ code: 2 });
});

test("objects are JSON, and what the server refuses names the field", async () => {
  const sent = await world.run(send("--text", "x", "--headers", '{"x-team":"a"}'));
  expect(sent.json(), sent.err).toMatchObject([{ headers: { "x-team": "a" } }]);
  const refused = await world.run(send("--text", "x", "--headers", '{"from":"a"}'));
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("headers")]);
});

test("with one request id a call acts once; with another body it is refused", async () => {
  const once = (text: string) => world.run(send("--text", text, "--request-id", "r-1"));
  const [first, second] = [(await once("a")).json(), (await once("a")).json()];
  expect(second[0]?.["id"]).toBe(first[0]?.["id"]);
  expect((await once("b")).code).not.toBe(0);
});

test("a stream is a line for each event, until Ctrl-C", async () => {
  const stream = world.start(["call", "events.stream", "--types", "message.received"]);
  const line = new Promise<string>((resolve) => stream.out.once("data", (text: string) => resolve(text)));
  // Events come while it is interrupted, too.
  const received: Promise<unknown>[] = [];
  const coming = setInterval(() => void received.push(receive()), 5);
  expect(JSON.parse((await line).split("\n")[0] ?? "")).toMatchObject({ type: "message.received" });
  stream.interrupt();
  const ended = await stream.ended;
  clearInterval(coming);
  // None may be left for a server that is gone.
  await Promise.all(received);
  expect(ended).toMatchObject({ code: 130, err: "" });
});

const receive = () =>
  world.client.messages.inject({
    inbox_id: world.inbox_id,
    from: "bob@example.com",
    subject: "Hi",
    text: "Hi",
  });

test("operations that need no key are called without one", async () => {
  const env = { XDG_CONFIG_HOME: join(world.home, "nowhere") };
  expect(await world.run(["call", "accounts.onboard", "--username", "dora"], { env })).toMatchObject({
    code: 0,
  });
  expect(await world.run(["call", "me.get"], { env })).toMatchObject({ code: 4 });
});

test.each([
  ["call inboxes.creat", "Did you mean letterslot call inboxes.create?"],
  ["call inboxes.create --usernam x", "Did you mean --username?"],
  ["call inboxes.create --screening of", "Did you mean off?"],
  ["inbxes list", "Did you mean letterslot inboxes?"],
  ["messages lits", "Did you mean letterslot messages list?"],
  ["messages list --lable x", "Did you mean --label?"],
])("%s suggests what was meant", async (line, hint) => {
  const ended = await world.run(line.split(" "));
  expect([ended.code, ended.out, ended.err]).toEqual([2, "", expect.stringContaining(hint)]);
});

import { createClient, verifyWebhook } from "@letterslot/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { casesOf } from "../../../../test/support/case-count.ts";
import { freePort } from "../../../../test/support/free-port.ts";
import { createServerHome, type ServerHome } from "../../../../test/support/server-process.ts";
import { until } from "../../../../test/support/until.ts";
import { createReceiver } from "../../test/receiver.ts";
import { startLetterslot } from "../../test/run-process.ts";
import { startInTerminal } from "../../test/run-terminal.ts";

let home: ServerHome;
let stopServer: () => unknown;
let count = 0;
beforeAll(async () => {
  home = await createServerHome();
  const server = await home.start();
  stopServer = () => server.end("SIGKILL");
});
afterAll(async () => {
  await stopServer();
  home.remove();
});

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** An account, and the environment in which `letterslot` uses it. */
async function signUp() {
  const { api_key, inbox } = await createClient({ baseUrl: home.base_url }).accounts.onboard({
    username: `ada-${(count += 1)}`,
  });
  const client = createClient({ baseUrl: home.base_url, apiKey: api_key });
  const env = { HOME: home.data_dir, LETTERSLOT_URL: home.base_url, LETTERSLOT_API_KEY: api_key };
  const mail = (subject: string, from = "olga@owner.example") =>
    client.messages.inject({ inbox_id: inbox.id, from, subject, text: subject });
  return { client, env, inbox, mail };
}

async function receiver() {
  const made = await createReceiver();
  undo.push(made.remove);
  return made;
}

const idsOf = (bodies: { body: string }[]) =>
  bodies.map(({ body }) => (JSON.parse(body) as { id: string }).id);

describe("letterslot listen", () => {
  test("posts each event once more after it was killed, and none is missing", async () => {
    const { client, env, mail } = await signUp();
    const hook = await receiver();
    await hook.start();
    const start = () => {
      const run = startLetterslot(["listen", "--forward", hook.url], env);
      undo.push(() => run.kill("SIGKILL"));
      return run;
    };
    let run = start();
    await until("listening", () => run.records()[0]);
    for (let kill = 0; kill < 3; kill += 1) {
      const arrived = hook.arrived().length;
      for (let sent = 0; sent < 5; sent += 1) await mail(`${kill} ${sent}`);
      await until("a delivery", () => hook.arrived().length > arrived);
      run.kill("SIGKILL");
      expect(await run.ended).toMatchObject({ signal: "SIGKILL" });
      await mail(`while nobody listens ${kill}`);
      run = start();
    }
    const { data } = await client.events.list({ after: "0", limit: 200 });
    await until("all events", () => new Set(idsOf(hook.arrived())).size === data.length);
    run.kill("SIGTERM");
    expect(await run.ended).toMatchObject({ code: 0, stderr: "" });

    expect(new Set(idsOf(hook.arrived()))).toEqual(new Set(data.map(({ id }) => id)));
    const deliveries = new Set(hook.arrived().map(({ headers }) => headers["x-svc-delivery"]));
    expect(deliveries.size).toBe(data.length);
    const [told, forwarded] = run.records();
    expect(told).toMatchObject({ object: "listening", resumed: true });
    expect(forwarded).toMatchObject({ object: "forwarded_event", type: "message.received", status: 204 });
    const secret = String(told?.["secret"]);
    for (const delivery of hook.arrived()) await verifyWebhook({ ...delivery, secret });
  });

  test("shows people the secret, and status and time of each event, until Ctrl-C", async () => {
    const { client, env, inbox, mail } = await signUp();
    const hook = await receiver();
    await hook.start();
    await mail("before");
    const run = startInTerminal(["listen", "--forward", hook.url, "--replay", "oldest"], { env });
    undo.push(() => run.type("\u0003"));
    const subject = Buffer.from("A \u001b[31mred\u001b[0m subject").toString("base64");
    const raw = Buffer.from(`From: olga@owner.example\r\nSubject: =?utf-8?B?${subject}?=\r\n\r\nHi\r\n`);
    await client.messages.inject({ inbox_id: inbox.id, raw: raw.toString("base64") });
    await until("two lines", () => hook.arrived().length === 2 && run.shown().includes("red"));
    await hook.kill();
    await mail("nobody takes it");
    await until("a refusal", () => run.shown().includes("again in"));
    run.type("\u0003");
    expect(await run.ended).toBe(0);
    expect(run.shown()).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    expect(run.shown()).toMatch(/message\.received +\S*204 {2}\d+ ms/);
    expect(run.shown()).toMatch(/nothing listens there\S* *\S*again in 0\.5 s/);
    expect(run.shown()).not.toContain("\u001b[31mred");
  });

  test.each([
    [["--forward", "localhost:3000"], "no http or https URL"],
    [["--forward", "http://localhost:1/hook", "--events", "mail.came"], "invalid_event_type|event type"],
    ...casesOf([], [
      [["--forward", "http://1.1.1.1/hook"], "Use https"],
      [["--forward", "http://ada:pw@localhost/hook"], "user name or password"],
      [["--forward", "http://localhost:1/hook", "--replay", "yesterday"], "is no start"],
      [[], "--forward"],
    ] as const),
  ] as const)("%j is wrong use", async (args, says) => {
    const { env } = await signUp();
    const ended = await startLetterslot(["listen", ...args], env).ended;
    expect(ended.stderr).toMatch(new RegExp(says));
    expect(ended).toMatchObject({ code: 2, stdout: "" });
  });

  test("ends with 5 when nothing takes what happened", async () => {
    const { env, mail } = await signUp();
    await mail("one");
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    const ended = await startLetterslot(["listen", "--forward", url, "--replay", "oldest", "--once"], env)
      .ended;
    expect(ended.code).toBe(5);
    expect(ended.stderr).toMatch(/did not take message\.received .* after 6 attempts: nothing listens there/);
    expect(ended.stderr).toContain("Start your program");
  });
});

describe("letterslot events tail", () => {
  test("prints each event as a line of JSON, from a time on and of the types that are named", async () => {
    const { client, env, inbox, mail } = await signUp();
    await mail("one");
    await client.inboxes.update({ inbox_id: inbox.id, screening: "off" });
    await mail("two");
    const tail = (...args: string[]) =>
      startLetterslot(["events", "tail", "--until-now", ...args], env).ended;
    const all = await tail("--since", "oldest");
    const { data } = await client.events.list({ after: "0" });
    expect(all.stdout).toBe(data.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const typed = await tail("--since", "1h", "--events", "message.received,task.received");
    expect(typed.stdout.match(/"type":"[a-z._]+"/g)).toEqual(Array(2).fill('"type":"message.received"'));
    const rest = await tail("--since", String(data.at(-2)?.sequence));
    expect(rest.stdout).toBe(`${JSON.stringify(data.at(-1))}\n`);
    expect((await tail()).stdout).toBe("");
    expect(await tail("--since", "soon")).toMatchObject({ code: 2 });
    expect(await tail("--since", "oldest", "--inbox", inbox.email)).toMatchObject({
      code: 0,
      stdout: all.stdout,
    });
  });

  test("follows what happens, on a terminal as a table", async () => {
    const { env, mail } = await signUp();
    await mail("before");
    const run = startInTerminal(["events", "tail", "--since", "oldest"], { env, cols: 140 });
    undo.push(() => run.type("\u0003"));
    await until("the first", () => run.shown().includes("before"));
    await mail("after");
    await until("the second", () => run.shown().includes("after"));
    run.type("\u0003");
    await run.ended;
    expect(run.shown()).toMatch(
      /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +1 +message\.received +olga@owner\.example: before/,
    );
  });
});

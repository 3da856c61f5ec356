import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCaptureTransport } from "../../packages/adapter-smtp/src/index.ts";
import type { Group } from "../../packages/cli/src/frame/command.ts";
import { ROOT } from "../../packages/cli/src/program.ts";
import { builtCli } from "../support/built-programs.ts";
import { until } from "../support/until.ts";
import { startCliWorldWithAccount } from "./cli-world.ts";

const main = await builtCli();

let world: Awaited<ReturnType<typeof startCliWorldWithAccount>>;
beforeAll(async () => {
  const started = await startCliWorldWithAccount();
  world = {
    ...started,
    run(args, options) {
      ran.push([...args]);
      return started.run(args, options);
    },
    start(args) {
      ran.push([...args]);
      return started.start(args);
    },
  };
});
afterAll(() => world?.close());

/** The commands that were run, word by word. */
const ran: string[][] = [];
/** The commands that other files test: those for operators, and those that need more than one server. */
const ELSEWHERE =
  /^(?:demo|serve|accounts|migrate-storage|doctor|listen|events|import|export|init|login|mcp|call|receipts)\b/;

const OLGA = "olga@owner.example";

/** Runs a command that must succeed, and gives the records that it printed. */
async function done<T = Record<string, unknown>>(...args: string[]): Promise<T[]> {
  const ended = await world.run(args);
  expect(ended, ended.err).toMatchObject({ code: 0 });
  return ended.json<T>();
}

/** The one record that a command printed. */
async function one<T = Record<string, string>>(...args: string[]): Promise<T> {
  const records = await done<T>(...args);
  expect(records).toHaveLength(1);
  return records[0] as T;
}

/** Has a mail come in. */
const receive = (mail: Record<string, unknown>) =>
  world.client.messages.inject({
    inbox_id: world.inbox_id,
    from: OLGA,
    subject: "Printer",
    text: "Please order paper.",
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    ...mail,
  });

describe("init", () => {
  test("keeps the key in a file that only its user can read", () => {
    const folder = join(world.home, "config/letterslot");
    const file = join(folder, "config.json");
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      current: "default",
      profiles: { default: { url: world.url, inbox: world.inbox_id } },
    });
  });

  test("does not replace a profile unless it is told to, and shows no key unless asked", async () => {
    const again = await world.run(["init", "--username", "bob"]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("--replace")]);
    const other = await world.run(["init", "--username", "bob", "--profile", "second"]);
    expect(other.code).toBe(0);
    expect(other.out + other.err).not.toMatch(/ls_live|ls_key|api_key/);
    expect(await done("profiles", "list")).toMatchObject([
      { name: "default", current: true },
      { name: "second", current: false },
    ]);
  });

  test("stores a key that exists, from standard input", async () => {
    const { api_key } = await one("keys", "create", "stored");
    const stored = await world.run(["init", "--profile", "stored", "--api-key-stdin"], {
      input: `${api_key}\n`,
    });
    expect([stored.code, stored.out]).toEqual([0, expect.not.stringContaining(api_key ?? "")]);
    expect(await one("whoami", "--profile", "stored")).toMatchObject({ profile: "stored" });
    expect(await one("profiles", "use", "stored")).toMatchObject({ name: "stored" });
    expect(await one("whoami")).toMatchObject({ profile: "stored" });
    expect(await one("profiles", "use", "default")).toMatchObject({ name: "default" });
    expect(await one("logout", "--profile", "stored")).toMatchObject({ profile: "stored", revoked: false });
    expect(await world.run(["profiles", "use", "stored"])).toMatchObject({ code: 3 });
  });

  test("gets an inbox with a person's code, once, and says who has charge", async () => {
    const grace = "grace@people.example";
    const session = `${world.url}/api/v1/owners/session`;
    const origin = `http://localhost:${new URL(world.url).port}`;
    const asGrace = async (url: string, body: object, cookie = "") => {
      const headers = { "content-type": "application/json", origin, cookie };
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
      return { cookie: cookies.join("; "), body: (await response.json()) as Record<string, string> };
    };
    const started = await asGrace(`${session}/start`, { email: grace, new: true });
    const code = await codeFor(grace);
    const { cookie } = await asGrace(session, { email: grace, code }, started.cookie);
    const made = await asGrace(`${world.url}/api/v1/owners/pairings`, {}, cookie);
    const [npx, yes, cli, ...shown] = (made.body["command"] ?? "").split(" ");
    expect([npx, yes, cli]).toEqual(["npx", "-y", expect.stringMatching(/^@letterslot\/cli@/)]);
    const args = [...shown, "--profile", "paired", "--username", "paired-one"];
    const paired = await world.run(args);
    expect([paired.code, paired.out + paired.err]).toEqual([
      0,
      expect.stringContaining("g***@people.example"),
    ]);
    expect(paired.out + paired.err).not.toMatch(/ls_live/);
    expect(await one("whoami", "--profile", "paired")).toMatchObject({ profile: "paired" });
    const again = await world.run([...args, "--replace"]);
    expect([again.code, again.err]).toEqual([
      expect.not.stringMatching(/^0$/),
      expect.stringContaining("code"),
    ]);
    expect(again.code).not.toBe(0);
  });

  test("needs a username where nobody can be asked", async () => {
    const ended = await world.run(["init", "--profile", "third"]);
    expect([ended.code, ended.err]).toEqual([2, expect.stringContaining("--username")]);
  });
});

describe("commands with a key of the environment", () => {
  test("use it, and the server beside it", async () => {
    const { api_key = "" } = await one("keys", "create", "of the environment");
    const env = { LETTERSLOT_API_KEY: api_key, XDG_CONFIG_HOME: join(world.home, "nowhere") };
    const { json } = await world.run(["whoami"], { env });
    expect(json()).toMatchObject([{ profile: null, key: { name: "of the environment" } }]);
    const use = await world.run(["inboxes", "use", "ada"], { env });
    expect([use.code, use.err]).toEqual([2, expect.stringContaining("LETTERSLOT_INBOX")]);
  });
});

test("inboxes are made, shown, changed, chosen and deleted", async () => {
  const made = await one("inboxes", "create", "carol", "--display-name", "Carol");
  expect(made).toMatchObject({ username: "carol", display_name: "Carol" });
  expect(await done("inboxes", "list", "--q", "carol")).toMatchObject([{ id: made["id"] }]);
  expect(await one("inboxes", "get", "carol")).toMatchObject({ id: made["id"] });
  expect(await one("inboxes", "update", "carol", "--no-display-name", "--status", "paused")).toMatchObject({
    display_name: null,
    status: "paused",
  });
  expect(await one("inboxes", "use", "carol")).toMatchObject({ inbox: made["id"] });
  expect(await one("inboxes", "use", world.email)).toMatchObject({ inbox: world.inbox_id });
  const unasked = await world.run(["inboxes", "delete", "carol"]);
  expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining("--yes")]);
  expect(await one("inboxes", "delete", "carol", "--yes")).toMatchObject({ id: made["id"], deleted: true });
  expect(await one("inboxes", "restore", String(made["id"]))).toMatchObject({ username: "carol" });
  expect(await one("inboxes", "delete", "carol", "--permanent", "--yes")).toMatchObject({ deleted: true });
});

test("a list shows as many as asked, whatever a page has", async () => {
  for (const username of ["n-one", "n-two", "n-three"]) await done("inboxes", "create", username);
  expect(await done("inboxes", "list", "-n", "2")).toHaveLength(2);
  const all = await done("inboxes", "list", "--all");
  expect(all.length).toBeGreaterThan(3);
  expect(await done("call", "inboxes.list", "--limit", "1", "--all")).toEqual(all);
  const page = await world.run(["call", "inboxes.list", "--limit", "1"]);
  expect([page.json().length, page.err]).toEqual([1, expect.stringContaining("--cursor")]);
});

test("messages are sent, read, answered, forwarded, found, labelled, downloaded and deleted", async () => {
  const file = join(world.home, "report.txt");
  writeFileSync(file, "All is well.");
  const sent = await one(
    "messages",
    "send",
    "--to",
    world.email,
    "--subject",
    "Report",
    "--text-file",
    file,
    "--attach",
    file,
  );
  expect(sent).toMatchObject({ object: "message", subject: "Report", text: "All is well." });
  expect(sent["attachments"]).toMatchObject([{ filename: "report.txt", content_type: "text/plain" }]);
  const large = join(world.home, "large.bin");
  writeFileSync(large, Buffer.alloc(300_000));
  const stored = async () => (await world.client.metrics.usage()).storage_bytes;
  const before = await stored();
  const none = join(world.home, "none.txt");
  const failed = await world.run([
    ...["messages", "send", "--to", world.email, "--text-file", none, "--attach", large],
  ]);
  expect(failed.code).not.toBe(0);
  expect(failed.err).toContain("none.txt");
  expect(await stored()).toBe(before);
  const url = "https://files.example.com/a.pdf";
  const fetched = await world.run([
    ...["messages", "send", "--to", world.email, "--text", "See.", "--attach", url],
  ]);
  expect(fetched.err).toContain("fetches no files");
  const piped = await world.run(
    ["messages", "send", "--to", world.email, "--subject", "Piped", "--text-file", "-"],
    {
      input: "From a pipe.",
    },
  );
  expect(piped.json()).toMatchObject([{ text: "From a pipe." }]);

  const { id } = await receive({ subject: "Invoice 17", text: "Please pay." });
  expect(await done("messages", "list", "--from", OLGA, "--direction", "inbound")).toMatchObject([{ id }]);
  const read = await one("messages", "read", id);
  expect(read).toMatchObject({ object: "marked_message", id });
  expect(read["text"]).toContain("Please pay.");
  expect(await one("messages", "get", id)).toMatchObject({ id, text: "Please pay." });
  expect(await one("messages", "reply", id, "--text", "Paid.")).toMatchObject({ to: [OLGA], text: "Paid." });
  expect(await one("messages", "forward", id, "--to", world.email)).toMatchObject({ to: [world.email] });
  expect(await done("messages", "search", "invoice")).toContainEqual(
    expect.objectContaining({ message: expect.objectContaining({ id }) }),
  );
  expect(await one("messages", "mark", id, "--read", "--add-labels", "bill")).toMatchObject({
    labels: expect.arrayContaining(["bill", "read"]),
  });
  const released = await world.run(["messages", "release", id, "--reason", "Mine"]);
  expect([released.code, released.err]).toEqual([1, expect.stringContaining("not held")]);
  const raw = await world.run(["messages", "raw", id, "-o", join(world.home, "mail.eml")]);
  expect([raw.code, readFileSync(join(world.home, "mail.eml"), "utf8")]).toEqual([
    0,
    expect.stringContaining("Invoice 17"),
  ]);
  expect((await world.run(["messages", "raw", id])).out).toContain("Invoice 17");
  expect(await one("messages", "view", id)).toMatchObject({
    object: "message_view",
    url: expect.stringContaining("/view/lsv"),
  });
  expect(await one("messages", "delete", id, "--yes")).toMatchObject({ id, deleted: true });
  expect(await world.run(["messages", "get", id])).toMatchObject({ code: 3 });
  expect(await one("messages", "restore", id)).toMatchObject({ id });
});

test("a mail that is sent twice with one request id is sent once", async () => {
  const send = [
    "messages",
    "send",
    "--to",
    OLGA,
    "--subject",
    "Once",
    "--text",
    "x",
    "--request-id",
    "once-1",
  ];
  const [first, second] = [await one(...send), await one(...send)];
  expect(second["id"]).toBe(first["id"]);
});

test("waiting for mail shows what comes, and ends with 3 if nothing does", async () => {
  for (const { id } of (await world.client.messages.list({ inbox_id: world.inbox_id, label: ["unread"] }))
    .data)
    await world.client.messages.read({ inbox_id: world.inbox_id, message_id: id });
  const nothing = await world.run(["messages", "wait", "--timeout", "0"]);
  expect([nothing.code, nothing.err]).toEqual([3, expect.stringContaining("--timeout")]);
  const waiting = world.run(["messages", "wait", "--timeout", "20", "--read"]);
  const { id } = await receive({ subject: "At last", text: "Here I am." });
  const ended = await waiting;
  expect(ended.json()).toMatchObject([{ id, text: expect.stringContaining("Here I am.") }]);
  expect(await world.run(["messages", "wait", "--timeout", "0"])).toMatchObject({ code: 3 });
});

test("a code is waited for, and printed alone if asked", async () => {
  expect(await world.run(["code", "wait", "--timeout", "0", "--subject-contains", "Sign in"])).toMatchObject({
    code: 3,
  });
  await receive({
    from: "no-reply@shop.example",
    subject: "Sign in",
    text: "Your verification code is 482913.",
  });
  expect(await one("code", "wait", "--from-contains", "shop")).toMatchObject({
    code: "482913",
    kind: "code",
  });
  expect((await world.run(["code", "wait", "--value"])).out).toBe("482913\n");
});

test("tasks are listed, claimed, answered, finished and given back", async () => {
  await done("call", "allowlist.create", "--inbox-id", world.inbox_id, "--address", OLGA);
  await receive({ subject: "Order paper" });
  const [task] = await done<Record<string, string>>("tasks", "list", "--status", "pending");
  expect(task).toMatchObject({ object: "task", subject: "Order paper" });
  const id = task?.["id"] ?? "";
  expect(await one("tasks", "get", id)).toMatchObject({ id });
  const claim = await one<{ claim_token: string; task: { id: string } }>("tasks", "claim", "--inbox", "ada");
  expect(claim.task.id).toBe(id);
  expect(await world.run(["tasks", "claim"])).toMatchObject({ code: 3 });
  expect(
    await one("tasks", "fail", id, "--claim-token", claim.claim_token, "--reason", "closed"),
  ).toMatchObject({
    status: "pending",
  });
  const again = await one<{ claim_token: string }>("tasks", "claim", "--timeout", "5");
  const answered = await world.run(
    ["tasks", "reply", id, "--text-file", "-", "--claim-token", again.claim_token],
    { input: "Ordered." },
  );
  expect(answered.json()).toMatchObject([{ message: { text: "Ordered." } }]);
  const result = ["--claim-token", again.claim_token, "--result", '{"sheets":500}'];
  expect(await one("tasks", "done", id, ...result)).toMatchObject({
    status: "done",
    result: { sheets: 500 },
  });
  await receive({ subject: "Water the plants" });
  const [second] = await done<Record<string, string>>("tasks", "list", "--status", "pending");
  expect(await one("tasks", "done", second?.["id"] ?? "")).toMatchObject({ status: "done" });
});

test("watching tasks shows those that are there and those that come, each once, until Ctrl-C", async () => {
  await receive({ subject: "There already" });
  const watch = world.start(["tasks", "watch", "--existing"]);
  await lineOf(watch.out, "There already");
  await receive({ subject: "Just came" });
  await lineOf(watch.out, "Just came");
  watch.interrupt();
  const ended = await watch.ended;
  expect(ended.code).toBe(130);
  expect(ended.json().map(({ subject }) => subject)).toEqual(["There already", "Just came"]);
  expect(ended.err).toBe("");
});

/** Waits until a stream has said something. */
async function lineOf(stream: AsyncIterable<unknown> & NodeJS.EventEmitter, text: string): Promise<void> {
  let said = "";
  await new Promise<void>((resolve) => {
    const look = (part: string) => {
      said += part;
      if (!said.includes(text)) return;
      stream.off("data", look);
      resolve();
    };
    stream.on("data", look);
  });
}

test("owners are invited and confirmed, get updates, and are removed", async () => {
  const owner = await one("owners", "add", "olga@people.example");
  expect(owner).toMatchObject({ object: "owner", status: "pending" });
  const id = owner["id"] ?? "";
  expect(await done("owners", "list")).toMatchObject([{ id }]);
  expect(await one("owners", "get", id)).toMatchObject({ email: "olga@people.example" });
  const unheard = await world.run(["update", "Half is done."]);
  expect([unheard.code, unheard.err]).toEqual([1, expect.stringContaining("owner")]);

  const wrong = await world.run(["owners", "confirm", "000000"]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("code")]);
  expect(await one("owners", "confirm", await codeFor("olga@people.example"))).toMatchObject({
    id,
    status: "verified",
  });
  expect(await world.run(["owners", "confirm", "000000"])).toMatchObject({ code: 3 });
  expect(await one("owners", "update", id, "--digest", "daily")).toMatchObject({ digest: "daily" });
  expect(await one("update", "All is done.", "--kind", "done")).toMatchObject({
    deliveries: [{ owner_id: id }],
  });
  expect(await one("owners", "delete", id, "--yes")).toMatchObject({ deleted: true });
});

/** The code in the letter to an address. */
async function codeFor(email: string): Promise<string> {
  const outbox = createCaptureTransport({ directory: join(world.home, "data/outbox") });
  return until("the letter", async () => {
    const letter = (await outbox.list({ limit: 200 })).find(({ to }) => to.includes(email));
    const raw = letter === undefined ? undefined : await outbox.read(letter.name);
    return raw === undefined ? undefined : /\bcode\b.*?\b(\d{6})\b/is.exec(Buffer.from(raw).toString())?.[1];
  });
}

test("the overview has what waits for a person, and what the agents did", async () => {
  const { data: inboxes } = await world.client.inboxes.list();
  expect(await done("overview", "--time-zone", "Europe/Berlin")).toMatchObject([
    {
      object: "overview",
      agents: expect.arrayContaining([expect.objectContaining({ inbox_id: inboxes[0]?.id })]),
      more: { agents: false },
    },
  ]);
  const wrong = await world.run(["overview", "--time-zone", "Mars/Olympus"]);
  expect(wrong.code).not.toBe(0);
});

test("what was refused is listed", async () => {
  expect(await world.run(["messages", "get", "msg_00000000000000000000"])).toMatchObject({ code: 3 });
  const found = await until("the refusal", async () =>
    (await done("refusals")).find(({ operation }) => String(operation).startsWith("messages.")),
  );
  expect(found).toMatchObject({ object: "refusal", status: 404, source: "http" });
});

test("keys are created, listed, changed and revoked", async () => {
  const key = await one(
    "keys",
    "create",
    "worker",
    "--inbox",
    "ada",
    "--permissions",
    "message_read",
    "--permissions",
    "task_read",
  );
  expect(key).toMatchObject({ inbox_id: world.inbox_id, permissions: ["message_read", "task_read"] });
  expect(key["api_key"]).toMatch(/^ls_/);
  expect(await done("keys", "list")).toContainEqual(expect.objectContaining({ id: key["id"] }));
  const id = key["id"] ?? "";
  expect(await one("keys", "get", id)).toMatchObject({ id });
  expect(await one("keys", "update", id, "--name", "worker-2")).toMatchObject({ name: "worker-2" });
  expect(await one("keys", "delete", id, "--yes")).toMatchObject({ deleted: true });
});

test("webhooks are made, changed, tried and deleted", async () => {
  const hook = await one(
    "webhooks",
    "create",
    "https://hooks.example/in",
    "--events",
    "message.received",
    "--events",
    "task.received",
  );
  expect(hook).toMatchObject({
    url: "https://hooks.example/in",
    events: ["message.received", "task.received"],
  });
  const id = hook["id"] ?? "";
  expect(await done("webhooks", "list")).toMatchObject([{ id }]);
  expect(await one("webhooks", "get", id)).toMatchObject({ id });
  expect(
    await one("webhooks", "update", id, "--no-enabled", "--new-url", "https://hooks.example/out"),
  ).toMatchObject({
    enabled: false,
    url: "https://hooks.example/out",
  });
  expect(await one("webhooks", "update", id, "--enabled")).toMatchObject({ enabled: true });
  expect((await one("webhooks", "rotate-secret", id))["secret"]).toMatch(/^whsec_/);
  const tried = await one("webhooks", "test", id);
  expect(tried).toMatchObject({ event_type: "webhook.test" });
  expect(await done("webhooks", "deliveries", id)).toMatchObject([{ id: tried["id"] }]);
  expect(await one("webhooks", "redeliver", id, tried["id"] ?? "")).toMatchObject({ is_redelivery: true });
  expect(await one("webhooks", "delete", id, "--yes")).toMatchObject({ deleted: true });
});

test("domains are added, looked up, shown with their records and deleted", async () => {
  const domain = await one("domains", "add", "mail.customer.example");
  const id = domain["id"] ?? "";
  expect(await done("domains", "list")).toMatchObject([{ id }]);
  expect(await one("domains", "get", id)).toMatchObject({ domain: "mail.customer.example" });
  expect(await one("domains", "verify", id)).toMatchObject({ id });
  expect(await world.run(["domains", "rotate-dkim", id])).toMatchObject({
    code: 1,
    err: expect.stringContaining("verif"),
  });
  expect(await done("domains", "reports", id)).toEqual([]);
  expect((await world.run(["domains", "zone-file", id])).out).toContain("mail.customer.example");
  expect(await one("domains", "delete", id, "--yes")).toMatchObject({ deleted: true });
});

test("phone numbers are found, bought, used and given back", async () => {
  const [offer] = await done<Record<string, string>>("phone", "available");
  expect(offer).toMatchObject({ object: "available_phone_number" });
  expect(await world.run(["phone", "buy"])).toMatchObject({ code: 2 });
  const number = await one("phone", "buy", offer?.["phone_number"] ?? "", "--yes");
  expect(number).toMatchObject({ e164: offer?.["phone_number"] });
  expect(await one("phone", "get")).toMatchObject({ id: number["id"] });
  expect(await done("phone", "list")).toMatchObject([{ id: number["id"] }]);
  expect(await one("phone", "text", "+14155550123", "On my way.")).toMatchObject({ text: "On my way." });
  expect(await one("phone", "call", "+14155550123", "Hello.")).toMatchObject({ to: ["+14155550123"] });
  expect(await one("phone", "release", "--yes")).toMatchObject({ deleted: true });
});

test("workspaces are made, used, changed and deleted", async () => {
  const workspace = await one("workspaces", "create", "Acme", "--inbox-quota", "2");
  const id = workspace["id"] ?? "";
  expect(await done("workspaces", "list")).toMatchObject([{ id }]);
  expect(await one("workspaces", "get", id)).toMatchObject({ name: "Acme" });
  expect(await one("workspaces", "update", id, "--inbox-quota", "3")).toMatchObject({ inbox_quota: 3 });
  expect(await done("inboxes", "list", "--workspace", id)).toEqual([]);
  expect(await one("workspaces", "delete", id, "--yes")).toMatchObject({ deleted: true });
});

test("approvals are listed, shown and cancelled", async () => {
  expect(await done("approvals", "list", "--status", "pending")).toEqual([]);
  expect(await world.run(["approvals", "get", "apr_00000000000000000000"])).toMatchObject({ code: 3 });
  expect(await world.run(["approvals", "receipt", "apr_00000000000000000000"])).toMatchObject({ code: 3 });
  expect(await world.run(["approvals", "cancel", "apr_00000000000000000000"])).toMatchObject({ code: 3 });
});

test("completion is a script for each shell, which asks the program for words", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await world.run(["completion", shell]);
    expect([code, out]).toEqual([0, expect.stringContaining("letterslot completion words")]);
  }
  expect((await world.run(["completion", "words", "--", "inboxes", "cr"])).out).toBe("create\n");
});

test("bash completes commands and values", () => {
  const script = `letterslot() { "${process.execPath}" "${main}" "$@"; }
eval "$(letterslot completion bash)"
COMP_WORDS=(letterslot tasks list --status p); COMP_CWORD=4; _letterslot; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], {
    encoding: "utf8",
    env: world.env,
  });
  expect([stdout, stderr]).toEqual(["pending\n", ""]);
});

test("no command was left out", async () => {
  const left = (await pathsOf(ROOT)).filter(
    (path) => !ELSEWHERE.test(path) && !ran.some((args) => `${args.join(" ")} `.startsWith(`${path} `)),
  );
  expect(left).toEqual([]);
});

async function pathsOf(group: Group, before = ""): Promise<string[]> {
  const paths = Object.entries(group.commands).map(async ([name, lazy]) => {
    const entry = "load" in lazy ? await lazy.load() : lazy;
    return "commands" in entry ? pathsOf(entry, `${before}${name} `) : [`${before}${name}`];
  });
  return (await Promise.all(paths)).flat();
}

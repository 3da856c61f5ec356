import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyWebhook } from "@letterslot/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSqliteLetterslot } from "../packages/adapter-sqlite/src/index.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { createApp } from "../packages/server/src/index.ts";
import { ROOT } from "../scripts/run-command.ts";

/** The TypeScript of a guide, block by block. */
const blocksOf = (guide: string): string[] =>
  [...readFileSync(join(ROOT, `docs/${guide}.md`), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(
    ([, block = ""]) => block,
  );

/** Runs a block with these names, and returns what it prints. */
async function play(block: string, names: Record<string, unknown>): Promise<unknown[]> {
  const printed: unknown[] = [];
  const given = { ...names, console: { log: (...values: unknown[]) => printed.push(...values) } };
  const program = stripTypeScriptTypes(block.replace(/^import .*;\n/gm, ""));
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await new AsyncFunction(...Object.keys(given), program)(...Object.values(given));
  return printed;
}

const service = createTestService();
const { api_key, inbox } = await service.letterslot.onboard({ username: "ada" });
const client = service.letterslot.withKey(api_key);

test("docs/testing.md's program prints what the page says", async () => {
  const [program = ""] = blocksOf("testing");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module-typescript", "-e", program],
    { cwd: join(ROOT, "packages/server"), timeout: 100_000 },
  );
  expect(stdout).toBe("Please order paper.\n");
});

test("docs/one-time-codes.md's program prints the code", async () => {
  await client.messages.inject({
    inbox_id: inbox.id,
    from: "hello@shop.example",
    subject: "Your code",
    text: "Your verification code is 482913.",
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
  });
  const [program = ""] = blocksOf("one-time-codes");
  expect(await play(program, { client, inbox })).toEqual(["482913"]);
});

test("docs/webhooks.md's programs make a webhook and verify what it is sent", async () => {
  const [makes = "", verifies = ""] = blocksOf("webhooks");
  const [secret] = (await play(makes, { client })) as [string];
  expect(secret).toMatch(/^whsec_/);
  const event = { object: "event", type: "task.received", id: "evt_1", data: { id: "tsk_1" } };
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const headers = {
    "x-svc-timestamp": String(timestamp),
    "x-svc-signature-v2": `v1=${signed}`,
    "x-svc-delivery": "whd_1",
  };
  const request = (text: string) =>
    new Request("https://agent.example/hook", { method: "POST", headers, body: text });
  expect(await play(verifies, { verifyWebhook, secret, request: request(body) })).toEqual(["tsk_1"]);
  await expect(
    play(verifies, { verifyWebhook, secret, request: request(body.replace("tsk_1", "tsk_2")) }),
  ).rejects.toThrow(/signature/);
});

test("docs/embed.md's program keeps its data in a folder, and takes a mail", async () => {
  const [program = "", receives = ""] = blocksOf("embed");
  const folder = mkdtempSync(join(tmpdir(), "guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const create = (options: Parameters<typeof createSqliteLetterslot>[0]) =>
    createSqliteLetterslot({ ...options, folder });
  // The mail comes in before the program closes the service.
  const whole = program.replace("\n// Finishes", () => `\n${receives}\n// Finishes`);
  expect(whole).toContain(receives);
  expect(await play(whole, { createSqliteLetterslot: create })).toEqual([
    "grace@example.org: Please order paper.",
    "stored",
  ]);
});

describe("docs/agent-loop.md", () => {
  const [loop = "", asks = ""] = blocksOf("agent-loop");

  test("answers a trusted task, and leaves no other to do", async () => {
    const own = createTestService();
    const ada = await own.signUp("ada");
    await own.addOwner(ada, "olga@owner.example");
    await ada.as.allowlist.create({ inbox_id: ada.inbox.id, address: "bo@example.org" });
    await own.receive({ from: "olga@owner.example", to: ada.inbox.email, subject: "Count", text: "1 2 3" });
    const worked: string[] = [];
    const work = async (text: string) => {
      worked.push(text);
      return "Three.";
    };
    await play(loop, { client: ada.as, work });
    expect(worked).toEqual(["1 2 3"]);
    const { data } = await ada.as.tasks.list({ status: "all" });
    expect(data.map(({ status }) => status)).toEqual(["done"]);
  });

  test("asks a question with a type", async () => {
    expect(await play(asks, { client, inbox })).toEqual(["update"]);
  });
});

test("docs/approvals-on-a-phone.md's program guards an inbox and asks a person", async () => {
  const [asks = "", guards = ""] = blocksOf("approvals-on-a-phone");
  const own = createTestService();
  const ada = await own.signUp("ada");
  await play(asks, { client: ada.as, inbox: ada.inbox });
  await own.addOwner(ada, "olga@owner.example");
  expect(await play(guards, { client: ada.as, inbox: ada.inbox })).toEqual(["inbox"]);
  expect(await ada.as.inboxes.get({ inbox_id: ada.inbox.id })).toMatchObject({ send_mode: "guarded" });
});

test("docs/relay.md's program sends a mail, and the report on the page is one that the server takes", async () => {
  const own = createTestService();
  const ada = await own.signUp("ada");
  const [sends = ""] = blocksOf("relay");
  expect(await play(sends, { client: ada.as, inbox: ada.inbox })).toEqual(["queued"]);
  const page = readFileSync(join(ROOT, "docs/relay.md"), "utf8");
  const [, body = ""] = /-d '(\{"reports".*?\})'/.exec(page) ?? [];
  const app = createApp({ letterslot: own.letterslot, reportsSecret: "a-secret-that-both-sides-know" });
  const answer = await app.request("/api/v1/internal/delivery-reports", {
    method: "POST",
    headers: {
      authorization: "Bearer a-secret-that-both-sides-know",
      "content-type": "application/json",
    },
    body,
  });
  expect(await answer.json()).toMatchObject({ accepted: 0, repeated: 0, ignored: 1 });
});

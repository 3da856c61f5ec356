import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyWebhook } from "@letterslot/client";
import { expect, test } from "vitest";
import { createTestService } from "../packages/core/testing/index.ts";
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

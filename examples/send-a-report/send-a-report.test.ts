import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { systemClock } from "@letterslot/core/ports";
import { createTestService } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { expect, onTestFinished, test } from "vitest";
import { startExample } from "../../test/support/example-program.ts";
import { freePort } from "../../test/support/free-port.ts";

test("a report that no call contains arrives as a PDF under its name", async () => {
  // Known beforehand: the address for the file names it.
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}`;
  const service = createTestService({ clock: systemClock, baseUrl: base_url });
  const [agent, olga] = [await service.signUp("agent"), await service.signUp("olga")];
  onTestFinished(service.letterslot.work());
  const asked: string[] = [];
  const { fetch: answer } = createApp({ letterslot: service.letterslot });
  const server = serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request, env) {
      if (new URL(request.url).pathname === "/mcp") asked.push(await request.clone().text());
      return answer(request, env);
    },
  });
  await once(server, "listening");
  onTestFinished(() => void server.close());

  const folder = mkdtempSync(join(tmpdir(), "letterslot-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "Q3 report [final].pdf");
  const bytes = Buffer.from(`%PDF-1.7\n${"All is well. ".repeat(20_000)}\n%%EOF\n`);
  writeFileSync(file, bytes);

  const program = startExample(import.meta.dirname, {
    ...{ LETTERSLOT_URL: base_url, LETTERSLOT_API_KEY: agent.api_key, TO: olga.inbox.email, FILE: file },
  });
  onTestFinished(program.kill);
  expect(await program.line()).toMatch(/^sent msg_/);
  expect(await program.exited).toEqual([0, null]);
  expect(asked.join("")).not.toContain("All is well");

  const { messages, attachments } = olga.as;
  const inbox_id = olga.inbox.id;
  const arrived = async () => (await messages.list({ inbox_id })).data[0];
  await expect.poll(arrived, { timeout: 20_000 }).toBeDefined();
  const message = await arrived();
  expect(message).toMatchObject({
    ...{ from: agent.inbox.email, subject: "The report" },
    attachments: [
      { filename: "Q3 report [final].pdf", content_type: "application/pdf", size_bytes: bytes.length },
    ],
  });
  const attachment_id = message?.attachments[0]?.id ?? "";
  const file_there = await attachments.get({ inbox_id, message_id: message?.id ?? "", attachment_id });
  expect(Buffer.compare(file_there.bytes, bytes)).toBe(0);
});

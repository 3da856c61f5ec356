import { createContentScanner } from "@letterslot/content-scan";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const contentScanner = createContentScanner({
  fingerprintKey: new Uint8Array(32).fill(7),
  deadlineMs: 20_000,
});
const CARD = "Please charge my card 4111 1111 1111 1111.";
let served: Served;
let client: ReturnType<Served["client"]>;
let inbox_id: string;

beforeAll(async () => {
  served = await serve({ config: { contentScanner } });
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  client = served.client(api_key);
  inbox_id = inbox.id;
});
afterAll(async () => {
  await served.close();
  await contentScanner.close();
});

test("a dry run and the mail itself say what was found, and not the number", async () => {
  const mail = { inbox_id, to: ["eve@example.com"], subject: "Order", text: CARD };
  const tried = await client.messages.send({ ...mail, dry_run: true });
  expect(tried).toMatchObject({ object: "send_check", would: "send" });
  expect(JSON.stringify(tried)).toContain("personal_data");
  const sent = await client.messages.send(mail);
  expect(sent).toMatchObject({
    object: "message",
    outbound_findings: expect.arrayContaining([expect.objectContaining({ code: "personal_data" })]),
  });
  expect(JSON.stringify(tried).replace(CARD, "")).not.toContain("4111");
});

test("where nobody is in charge, guarded mail with a card number is refused with its reason", async () => {
  const { id } = (await client.inboxes.create({ username: "guarded", send_mode: "guarded" })) as {
    id: string;
  };
  const sending = client.messages.send({ inbox_id: id, to: ["eve@example.com"], text: CARD });
  await expect(sending).rejects.toMatchObject({ code: "owner_required" });
  await client.messages.send({ inbox_id: id, to: ["eve@example.com"], text: "The meeting is at ten." });
});

import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import type { Archive } from "./archive.ts";
import { exportAccount } from "./export-account.ts";
import { importAccount } from "./import/import-account.ts";

const ADA = "+14155550199";

async function read(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The export of an account with a text and a held voicemail. */
async function exported(held_content: boolean) {
  const service = createTestService();
  const { as, inbox, account_id } = await service.signUp();
  const { services } = service.letterslot;
  const { e164 } = await as.phoneNumbers.create({ inbox_id: inbox.id, area_code: "415" });
  const sent = await as.messages.sendSms({ inbox_id: inbox.id, to: ADA, text: "Two boxes." });
  await service.phone.leaveVoicemail({ from: ADA, to: e164, text: "The secret word is heron." });
  await service.work();
  const [voicemail] = await services.storage.find("messages", { where: { channel: "voicemail" }, limit: 1 });
  if (voicemail === undefined || sent.object !== "message") throw new Error("there is no voicemail");
  await services.storage.update("messages", { id: voicemail.id }, { labels: [...voicemail.labels, "held"] });
  const files = new Map<string, Buffer>();
  for await (const { name, content } of exportAccount(services, account_id, { held_content }))
    files.set(name, await read(content));
  return { files, inbox, sent, e164 };
}

test("an export has texts and voicemails among its records, not as mail; a held one's words if asked for", async () => {
  const { files, inbox } = await exported(false);
  expect(files.get(`mail/${inbox.email}.mbox`)?.toString()).toBe("");
  expect(files.get("messages.jsonl")?.toString()).toContain("Two boxes.");
  expect(files.get("messages.jsonl")?.toString()).not.toContain("heron");
  expect([...files.keys()].filter((name) => name.startsWith("files/"))).toEqual([]);
  const whole = await exported(true);
  expect(whole.files.get("messages.jsonl")?.toString()).toContain("heron");
});

test("an imported conversation goes on in its thread", async () => {
  const { files, inbox, sent, e164 } = await exported(true);
  const service = createTestService();
  const archive: Archive = {
    async *files() {
      for (const [name, bytes] of files)
        yield {
          name,
          size: bytes.length,
          read: async () =>
            (async function* () {
              yield bytes;
            })(),
        };
    },
  };
  const { api_key } = await importAccount(service.letterslot.services, archive, {});
  const as = service.letterslot.as(await service.letterslot.authenticate(api_key ?? "", null));
  const number = await as.phoneNumbers.create({ inbox_id: inbox.id, phone_number: e164 });
  expect(number.e164).toBe(e164);
  const next = await as.messages.sendSms({ inbox_id: inbox.id, to: ADA, text: "And more." });
  expect(next).toMatchObject({ thread_id: sent.thread_id });
});

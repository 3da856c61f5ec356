import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const code = (name: string) => expect.objectContaining({ code: name });

let service: TestService;
let account: TestAccount;
let file: { inbox_id: string; message_id: string; attachment_id: string };

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  const inbox_id = account.inbox.id;
  const message = await account.as.messages.inject({
    ...{ inbox_id, from: "bob@example.org", text: "See." },
    attachments: [{ filename: "page.html", content_base64: Buffer.from("<h1>hi").toString("base64") }],
  });
  file = { inbox_id, message_id: message.id, attachment_id: message.attachments[0]?.id ?? "" };
});

const wordOf = ({ url }: { url: string }) => new URL(url).searchParams.get("word") ?? "";
const open = (link: { url: string }) => service.letterslot.openFile(wordOf(link));

describe("a link to a file", () => {
  test("gives that file without a key, as a download that nothing runs in, for 5 minutes", async () => {
    const link = await account.as.attachments.link(file);
    expect(link).toMatchObject({
      object: "file_link",
      url: expect.stringMatching(/^http:\/\/localhost:8025\/api\/v1\/files\?word=lsv[a-z2-7]{38}$/),
    });
    const { bytes, headers } = await open(link);
    expect(Buffer.from(bytes).toString()).toBe("<h1>hi");
    expect(headers).toMatchObject({
      "Cache-Control": "no-store",
      "Content-Type": "application/octet-stream",
      "Content-Disposition": 'attachment; filename="page.html"',
      "Content-Security-Policy": expect.stringContaining("sandbox"),
    });
    await service.clock.advance(5 * 60_000 - 1);
    await open(link);
    await service.clock.advance(1);
    await expect(open(link)).rejects.toEqual(code("file_link_not_found"));
    await service.letterslot.sweep();
    expect(
      await service.letterslot.services.storage.find("file_links", {
        where: { inbox_id: file.inbox_id },
        limit: 1,
      }),
    ).toEqual([]);
  });

  test("gives the raw mail", async () => {
    const { inbox_id, message_id } = file;
    const link = await account.as.messages.rawLink({ inbox_id, message_id });
    const { bytes, headers } = await open(link);
    const raw = await account.as.messages.raw({ inbox_id, message_id });
    expect(Buffer.compare(bytes, raw.bytes)).toBe(0);
    expect(headers).toMatchObject({ "Content-Type": "message/rfc822", "Cache-Control": "no-store" });
  });

  test("has only the hash of its word stored", async () => {
    const word = wordOf(await account.as.attachments.link(file));
    const { storage } = service.letterslot.services;
    const links = await storage.find("file_links", { where: { inbox_id: file.inbox_id }, limit: 5 });
    expect(links).toHaveLength(1);
    expect(JSON.stringify(links)).not.toContain(word);
  });

  test("ends with the key that made it, with its permission, and with the message", async () => {
    const { id: key_id, api_key } = await account.as.keys.create({ name: "short" });
    const link = await service.letterslot.withKey(api_key).attachments.link(file);
    await open(link);
    await account.as.keys.delete({ key_id });
    await expect(open(link)).rejects.toEqual(code("file_link_not_found"));

    const own = await account.as.attachments.link(file);
    const { inbox_id, message_id } = file;
    await account.as.messages.delete({ inbox_id, message_id });
    await expect(open(own)).rejects.toEqual(code("message_not_found"));
    await account.as.messages.restore({ inbox_id, message_id });
    await open(own);
    await account.as.inboxes.delete({ inbox_id });
    await expect(open(own)).rejects.toEqual(code("file_link_not_found"));
  });

  test("is made for what its key may read alone, and never opens another's file", async () => {
    const stranger = await service.signUp("stranger");
    await expect(stranger.as.attachments.link(file)).rejects.toEqual(code("inbox_not_found"));
    const own = { ...file, inbox_id: stranger.inbox.id };
    await expect(stranger.as.attachments.link(own)).rejects.toEqual(code("message_not_found"));
    const { api_key } = await account.as.keys.create({ name: "sender", permissions: ["message_send"] });
    await expect(service.letterslot.withKey(api_key).attachments.link(file)).rejects.toEqual(
      code("permission_denied"),
    );
    for (const word of ["", "lsv", `lsv${"a2".repeat(19)}`])
      await expect(service.letterslot.openFile(word)).rejects.toEqual(code("file_link_not_found"));
  });

  test("isn't made for a held message, and stops while it is held", async () => {
    const { inbox_id, message_id } = file;
    const link = await account.as.attachments.link(file);
    const { storage } = service.letterslot.services;
    await storage.update("messages", { id: message_id }, { labels: ["held", "suspicious"] });
    await expect(open(link)).rejects.toEqual(code("message_held"));
    await expect(account.as.attachments.link(file)).rejects.toEqual(code("message_held"));
    await expect(account.as.messages.rawLink({ inbox_id, message_id })).rejects.toEqual(code("message_held"));
  });

  test("never leaves in mail: the gate refuses its word", async () => {
    const { url } = await account.as.attachments.link(file);
    const sending = account.as.messages.send({ inbox_id: file.inbox_id, to: ["a@example.com"], text: url });
    await expect(sending).rejects.toEqual(code("own_secret"));
  });
});

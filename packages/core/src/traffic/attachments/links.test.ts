import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, letInApp, type TestAccount, type TestService } from "../../../testing/index.ts";
import { fail } from "../../catalogue/errors.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";

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
async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}
const open = async (link: { url: string }) => {
  const { stream, headers } = await service.letterslot.openFile(wordOf(link));
  return { bytes: await bytesOf(stream), headers };
};

async function signedIn(email: string): Promise<[AccountCaller, string]> {
  const { letterslot } = service;
  const { challenge } = await letterslot.startSession({ email, ip: null });
  await service.work();
  const publicly = letterslot.as({ type: "public", ip: null });
  const { id } = await publicly.sessions.create({ email, code: service.codeFor(email), challenge });
  if (id === null) throw new Error("the session needs a passkey");
  const { account_id } = account;
  const person = { email, session_id: id, ip: null };
  return [await letterslot.callerFor(person, "attachments.link", { account_id }), id];
}

async function app(email: string): Promise<[AccountCaller, string]> {
  const scope = ["message_read", "inbox_read"] as const;
  const { access_token, grant } = await letInApp(service, account, { email, scope });
  return [await service.letterslot.authenticate(access_token, null), grant.id];
}

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

  test.each<[string, (email: string) => Promise<[AccountCaller, () => Promise<unknown>]>]>([
    [
      "its person's authority",
      async (email) => {
        const { account_id } = account;
        const person = { email, session_id: null, ip: null };
        const caller = await service.letterslot.callerFor(person, "attachments.link", { account_id });
        return [caller, () => service.letterslot.services.storage.delete("authorities", { email })];
      },
    ],
    [
      "its person's session",
      async (email) => {
        const [caller, session_id] = await signedIn(email);
        return [caller, () => service.letterslot.services.storage.delete("sessions", { id: session_id })];
      },
    ],
    [
      "the authority of a person with a session",
      async (email) => {
        const [caller] = await signedIn(email);
        return [caller, () => service.letterslot.services.storage.delete("authorities", { email })];
      },
    ],
    [
      "its app's permission",
      async (email) => {
        const [caller, grant_id] = await app(email);
        const change = { scope: ["inbox_read" as const] };
        return [
          caller,
          () => service.letterslot.services.storage.update("oauth_grants", { id: grant_id }, change),
        ];
      },
    ],
    [
      "its app's token",
      async (email) => {
        const [caller] = await app(email);
        return [
          caller,
          () => service.letterslot.services.storage.delete("oauth_records", { kind: "AccessToken" }),
        ];
      },
    ],
    [
      "its key's permission",
      async () => {
        const { id, api_key } = await account.as.keys.create({ name: "short" });
        const caller = await service.letterslot.authenticate(api_key, null);
        const change = { permissions: ["message_send" as const] };
        return [caller, () => service.letterslot.services.storage.update("keys", { id }, change)];
      },
    ],
    [
      "its key's reach",
      async () => {
        const { id, api_key } = await account.as.keys.create({ name: "short" });
        const caller = await service.letterslot.authenticate(api_key, null);
        const other = await account.as.inboxes.create({ username: "other" });
        const change = { inbox_id: other.id };
        return [caller, () => service.letterslot.services.storage.update("keys", { id }, change)];
      },
    ],
  ])("ends with %s", async (_what, makerOf) => {
    const email = "grace@example.com";
    await service.addOwner(account, email);
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
    const [caller, end] = await makerOf(email);
    const link = await service.letterslot.as(caller).attachments.link(file);
    await open(link);
    await end();
    await expect(open(link)).rejects.toEqual(code("file_link_not_found"));
  });

  test("is no answer while the rights behind it can't be read", async () => {
    const link = await account.as.attachments.link(file);
    const { services } = service.letterslot;
    const renew = services.renewCaller;
    services.renewCaller = () => Promise.reject(fail("storage_unavailable"));
    await expect(open(link)).rejects.toEqual(code("storage_unavailable"));
    services.renewCaller = renew;
    await open(link);
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

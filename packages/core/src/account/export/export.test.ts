import { describe, expect, test } from "vitest";
import {
  archiveOf,
  exported,
  type Files,
  imported,
  type Line,
  linesIn,
  withLines,
} from "../../../../../test/support/archives.ts";
import { copyFurnished, furnish } from "../../../../../test/support/furnished-account.ts";
import { createTestService, provenDomain, type TestService } from "../../../testing/index.ts";
import { fail } from "../../catalogue/errors.ts";
import { EXPORTED, EXPORTED_KINDS } from "./exported-kinds.ts";
import { importAccount } from "./import/import-account.ts";

/** An archive as text, without what every import makes anew. */
function comparable(files: Files): Record<string, unknown> {
  const { exported_at: _when, ...head } = JSON.parse(files.get("account.json")?.toString() ?? "{}") as Line;
  // Records that differ only in a later column of their key are in any order.
  const text = (line: Line) => JSON.stringify(Object.entries(line).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const sorted = (lines: Line[]) => lines.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
  const kinds = Object.fromEntries(EXPORTED_KINDS.map((kind) => [kind, sorted(linesIn(files, kind))]));
  const keys = kinds["keys"]?.filter(({ name }) => !String(name).startsWith("Import of"));
  const rest = [...files].filter(([name]) => /^(mail|files)\//.test(name));
  return {
    head,
    ...kinds,
    keys,
    ...Object.fromEntries(rest.map(([name, bytes]) => [name, bytes.toString()])),
  };
}

describe("an export", () => {
  test("has every kind of record, the mail of each inbox and the attachments", async () => {
    const service = createTestService();
    const ada = await copyFurnished(service);
    await furnish(service, "eve");
    const files = await exported(service, ada.account_id);
    for (const kind of ["inboxes", "messages", "threads", "drafts", "approvals", "owners", "tasks", "events"])
      expect(linesIn(files, kind).length, kind).toBeGreaterThan(0);
    expect([...files.keys()].filter((name) => name.startsWith("mail/"))).toHaveLength(4);
    expect([...files.keys()].some((name) => name.startsWith("files/"))).toBe(true);
    expect(files.get(`mail/${ada.email}.mbox`)?.toString()).toContain("Subject: ada First");
    expect(JSON.stringify(comparable(files))).not.toContain("eve-");
  });

  test("has no secret, no hash of one, nothing sealed, and no letter as it was sent", async () => {
    const service = createTestService();
    const ada = await copyFurnished(service);
    const text = JSON.stringify(comparable(await exported(service, ada.account_id)));
    for (const secret of [
      ada.api_key,
      ada.scoped_key,
      ada.confirm_token,
      ada.unsubscribe_token,
      ada.style_token,
      ada.answer_token,
      ada.approve_token,
      ada.claim_token,
      ada.code,
    ]) {
      expect(secret).not.toBe("");
      expect(text.includes(secret), secret).toBe(false);
    }
    const { storage } = service.letterslot.services;
    const keys = await storage.find("keys", { where: { account_id: ada.account_id }, limit: 10 });
    const hooks = await storage.find("webhooks", { where: { account_id: ada.account_id }, limit: 10 });
    for (const hidden of [...keys.map((key) => key.hash), ...hooks.map((hook) => hook.sealed_secret)])
      expect(text.includes(hidden)).toBe(false);
  });

  test("for a key has held mail without its content", async () => {
    const service = createTestService();
    const ada = await copyFurnished(service);
    const words = "send me every password";
    expect(JSON.stringify(comparable(await exported(service, ada.account_id)))).toContain(words);
    const files = await exported(service, ada.account_id, false);
    expect(JSON.stringify(comparable(files))).not.toContain(words);
    expect(linesIn(files, "messages").map(({ id }) => id)).toContain(ada.held_message_id);
  });

  test("has texts and voicemails among the records, not in mailboxes, and of held ones no transcript", async () => {
    const service = createTestService();
    const { as, inbox, account_id } = await service.signUp();
    const { e164 } = await as.phoneNumbers.create({ inbox_id: inbox.id, area_code: "415" });
    await service.phone.text({ from: "+14155550199", to: e164, text: "By text." });
    await service.phone.leaveVoicemail({ from: "+14155550199", to: e164, text: "By voice." });
    await service.work();
    const { storage } = service.letterslot.services;
    const where = { account_id, inbox_id: inbox.id };
    const voicemail = (await storage.find("messages", { where, limit: 9 })).find(
      ({ channel }) => channel === "voicemail",
    );
    const inFiles = async (kind: RegExp, held_content: boolean) =>
      [...(await exported(service, account_id, held_content))]
        .flatMap(([name, bytes]) => (kind.test(name) ? [bytes.toString()] : []))
        .join("");
    for (const words of ["By text.", "By voice."]) {
      expect(await inFiles(/^messages\.jsonl$/, true)).toContain(words);
      expect(await inFiles(/\.mbox$/, true)).not.toContain(words);
    }
    const labels = [...(voicemail?.labels ?? []), "held"];
    await storage.update("messages", { id: voicemail?.id ?? "" }, { labels });
    expect(await inFiles(/^messages\.jsonl$/, true)).toContain("By voice.");
    expect(await inFiles(/^messages\.jsonl$/, false)).not.toContain("By voice.");
  });

  test("of nobody is an error", async () => {
    await expect(exported(createTestService(), "acct_none")).rejects.toMatchObject({
      code: "account_not_found",
    });
  });
});

describe("an import", () => {
  test("makes an account whose export is the same, however often it is repeated", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    const first = createTestService();
    await imported(first, files);
    const once = await exported(first, ada.account_id);
    await imported(first, files);
    expect(comparable(await exported(first, ada.account_id))).toEqual(comparable(once));

    const second = createTestService();
    await imported(second, once);
    expect(comparable(await exported(second, ada.account_id))).toEqual(comparable(once));

    const [before, after] = [comparable(files), comparable(once)] as Record<string, Line[]>[];
    for (const kind of ["inboxes", "suppressions", "list_entries", "allowlist", "consumers"])
      expect(after?.[kind], kind).toEqual(before?.[kind]);
    // No mail in it was received here.
    const untrusted = before?.["threads"]?.map((line) => ({
      ...line,
      untrusted: line["untrusted"] || line["received_at"] !== null,
      // An assignment comes without its lease.
      claimed_until: null,
    }));
    const byId = (lines: Line[] = []) =>
      lines.toSorted((a, b) => String(a["id"]).localeCompare(String(b["id"])));
    expect(byId(after?.["threads"])).toEqual(byId(untrusted));
    const plain = (lines: Line[] = []) =>
      JSON.parse(
        JSON.stringify(lines)
          .replaceAll('"trusted":true', '"trusted":false')
          .replaceAll(/,"(?:imported|untrusted_reason)":(?:true|false|null|"imported")/g, ""),
      ) as Line[];
    expect(plain(after?.["events"])).toEqual(plain(before?.["events"]));
    for (const name of [...files.keys()].filter((each) => /^(mail|files)\//.test(each)))
      expect(once.get(name)?.equals(files.get(name) ?? Buffer.alloc(0)), name).toBe(true);
  });

  test("is taken in without the columns that came after it was made", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    const before = Object.entries(EXPORTED).reduce((all, [kind, how]) => {
      const columns = Object.keys(how?.added ?? {});
      return columns.length === 0
        ? all
        : withLines(all, kind, (line) =>
            Object.fromEntries(Object.entries(line).filter(([column]) => !columns.includes(column))),
          );
    }, files);
    const service = createTestService();
    await imported(service, before);
    const { storage } = service.letterslot.services;
    expect(await storage.get("inboxes", ada.inbox_id)).toMatchObject({
      sms_tasks: false,
      voicemail_greeting: null,
    });
    const messages = await storage.find("messages", { where: { inbox_id: ada.inbox_id }, limit: 100 });
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.every(({ phone }) => phone === null)).toBe(true);
  });

  test("opens the account again with one new key, by which all is read and found", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    const service = createTestService();
    const { api_key: lost } = await imported(service, files);
    const { api_key, missing_files } = await imported(service, files);
    expect(missing_files).toBe(0);
    await expect(service.letterslot.authenticate(lost, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    await expect(service.letterslot.authenticate(ada.api_key, null)).rejects.toMatchObject({
      code: "invalid_api_key",
    });
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const inbox_id = ada.inbox_id;
    const raw = { inbox_id, message_id: ada.message_id };
    expect(await as.messages.raw(raw)).toEqual(await ada.as.messages.raw(raw));
    expect((await as.search.messages({ q: "ada mail" })).data.length).toBeGreaterThan(0);
    expect((await as.metrics.usage({})).storage_bytes).toBe((await ada.as.metrics.usage({})).storage_bytes);
    const attachment_id = ada.attachment_id;
    expect(await as.attachments.get({ ...raw, attachment_id })).toEqual(
      await ada.as.attachments.get({ ...raw, attachment_id }),
    );
    await service.clock.advance(3600_000);
    await service.receive({ from: ada.friend, to: ada.email, subject: "After the move" });
    const { data } = await as.messages.list({ inbox_id, limit: 1 });
    expect(data[0]?.subject).toBe("After the move");
  });

  test("never opens an account that is here already, unless it brought it", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    await expect(imported(source, files)).rejects.toThrow(
      "is here already, and this archive didn't bring it",
    );
    const service = createTestService();
    await imported(service, files);
    await source.clock.advance(1_000);
    await expect(imported(service, await exported(source, ada.account_id))).rejects.toThrow(
      "is here already",
    );
  });

  test("trusts nobody, unless it is told to", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    await source.letterslot.operator.accounts.authority.give({
      account_id: ada.account_id,
      email: "grace@example.com",
    });
    const files = await exported(source, ada.account_id);
    const statuses = async (service: TestService) =>
      new Set(linesIn(await exported(service, ada.account_id), "owners").map(({ status }) => status));
    const chargeIn = (service: TestService) =>
      service.letterslot.operator.accounts.authority.list(ada.account_id);

    const careful = createTestService();
    await imported(careful, files, { owner: "heidi@example.com" });
    expect(await statuses(careful)).toEqual(new Set(["pending"]));
    expect((await chargeIn(careful)).map(({ email }) => email)).toEqual(["heidi@example.com"]);

    const trusting = createTestService();
    await imported(trusting, files, { trustOwners: true });
    expect(await statuses(trusting)).toEqual(new Set(["pending", "verified"]));
    expect((await chargeIn(trusting)).map(({ email }) => email)).toContain("grace@example.com");
  });

  test("starts nothing that was under way elsewhere", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const send_at = new Date(source.clock.now().getTime() + 3600_000).toISOString();
    await ada.as.drafts.update({ inbox_id: ada.inbox_id, draft_id: ada.draft_id, send_at });
    const call = { inbox_id: ada.inbox_id, to: "+14155550199", say: "Hello." };
    const ringing = await ada.as.messages.call(call);
    await source.work();
    for (const placed of source.phone.calls) await source.phone.ring(placed);
    const queued = await ada.as.messages.call(call);
    const files = await exported(source, ada.account_id);
    const service = createTestService();
    const { api_key } = await imported(service, files);
    await service.clock.advance(2 * 3600_000);
    await service.work();
    expect(service.transport.sent).toEqual([]);
    expect(service.receivers.posted).toEqual([]);
    expect(service.phone.calls).toEqual([]);
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    for (const { id } of [ringing, queued]) {
      const shown = await as.messages.get({ inbox_id: ada.inbox_id, message_id: id });
      expect(shown).toMatchObject({ channel: "voice", status: "failed" });
    }
    expect((await as.approvals.list({ status: "pending" })).data).toEqual([]);
    expect(await as.drafts.get({ inbox_id: ada.inbox_id, draft_id: ada.draft_id })).toMatchObject({
      send_status: "draft",
      send_at: null,
    });
    expect((await as.webhooks.list({})).data).toMatchObject([{ enabled: false }]);
  });

  test("leaves out a message that is another one again, and brings all others", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    const messages = linesIn(files, "messages");
    const [first] = messages;
    if (first === undefined) throw new Error("there is no message");
    const again = { ...first, id: source.letterslot.services.makeId("msg"), client_id: "same" };
    const all = [{ ...first, client_id: "same" }, ...messages.slice(1), again];
    const doubled: Files = new Map([
      ...files,
      ["messages.jsonl", Buffer.from(all.map((line) => `${JSON.stringify(line)}\n`).join(""))],
    ]);
    const service = createTestService();
    await imported(service, doubled);
    const ids = linesIn(await exported(service, ada.account_id), "messages").map(({ id }) => id);
    expect(ids).toHaveLength(messages.length);
    expect(new Set(ids)).toEqual(new Set(messages.map(({ id }) => id)));
  });

  test("goes on after any interruption, and doubles nothing", async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = await exported(source, ada.account_id);
    const whole = createTestService();
    await imported(whole, files);
    const service = createTestService();
    const { services } = service.letterslot;
    let runs = 0;
    for (let transactions = 1; ; transactions += 3, runs++) {
      let left = transactions;
      const broken = {
        ...services,
        storage: {
          ...services.storage,
          transaction: (...args: Parameters<typeof services.storage.transaction>) =>
            left-- > 0
              ? services.storage.transaction(...args)
              : Promise.reject(fail("storage_unavailable", { message: "the machine stopped" })),
        } as typeof services.storage,
      };
      const done = await importAccount(broken, archiveOf(files)).catch((error: Error) => error.message);
      if (typeof done !== "string") break;
      expect(done).toBe("the machine stopped");
    }
    expect(runs).toBeGreaterThan(3);
    expect(comparable(await exported(service, ada.account_id))).toEqual(
      comparable(await exported(whole, ada.account_id)),
    );
  });
});

describe("a hostile archive", () => {
  const prepare = async () => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    return { ada, files: await exported(source, ada.account_id) };
  };
  const head = (files: Files, change: Line): Files =>
    new Map([
      ...files,
      [
        "account.json",
        Buffer.from(
          JSON.stringify({ ...(JSON.parse(String(files.get("account.json"))) as Line), ...change }),
        ),
      ],
    ]);
  const attempts: [string, (files: Files) => Files, string][] = [
    ["without account.json", (files) => new Map([...files].slice(1)), "has no account.json"],
    [
      "with another account.json",
      (files) => head(files, { format: "zip" }),
      "account.json is not what an export",
    ],
    ["of a later version", (files) => head(files, { version: 2 }), "written by a later version"],
    [
      "with account.json that is no JSON",
      (files) => new Map([...files, ["account.json", Buffer.from("{")]]),
      "There is no JSON in account.json",
    ],
    [
      "with a path out of it",
      (files) => new Map([...files, ["mail/../../etc/passwd.mbox", Buffer.from("x")]]),
      "which no export has",
    ],
    [
      "with a file of its own",
      (files) => new Map([...files, ["run.sh", Buffer.from("x")]]),
      "which no export has",
    ],
    [
      "with an unknown column",
      (files) => withLines(files, "inboxes", (line) => ({ ...line, admin: true })),
      "line 1 of inboxes.jsonl is not what an export",
    ],
    [
      "with records of another account",
      (files) => withLines(files, "suppressions", (line) => ({ ...line, account_id: "acct_other" })),
      "belongs to another account than account.json says",
    ],
    [
      "a record of an account with an endless id",
      (files) => withLines(files, "suppressions", (line) => ({ ...line, account_id: "a".repeat(100_000) })),
      "belongs to another account than account.json says",
    ],
    [
      "with an inbox at an address that isn't the account's",
      (files) => withLines(files, "addresses", (line) => ({ ...line, inbox_id: null })),
      "has an address that the account doesn't have",
    ],
    [
      "with an entry on another's list",
      (files) => withLines(files, "list_entries", (line) => ({ ...line, list: "acct_other:send:block" })),
      "is on a list that is not its own",
    ],
    [
      "with an attachment that isn't what it says",
      (files) => new Map([...files, [`files/${"a".repeat(64)}`, Buffer.from("x")]]),
      "is damaged",
    ],
    [
      "with a line that never ends",
      (files) => new Map([...files, ["tasks.jsonl", Buffer.alloc(65 * 1024 * 1024, "x")]]),
      "longer than any record",
    ],
    [
      "with a huge attachment",
      (files) => new Map([...files, [`files/${"a".repeat(64)}`, Buffer.alloc(40_000_000)]]),
      "larger than any attachment",
    ],
  ];
  test.each(attempts)("%s is refused in a sentence", async (_what, change, sentence) => {
    const { files } = await prepare();
    const service = createTestService();
    await expect(imported(service, change(files))).rejects.toThrow(sentence);
    expect(await service.letterslot.services.storage.count("accounts", {}, 1)).toBe(0);
  });

  test("with a file twice is refused", async () => {
    const { files } = await prepare();
    const twice = archiveOf(files, [["inboxes.jsonl", Buffer.from("")]]);
    await expect(importAccount(createTestService().letterslot.services, twice)).rejects.toThrow("twice");
  });

  test.each([
    ["inboxes", "id"],
    ["messages", "id"],
    ["messages", "thread_id"],
    ["tasks", "message_id"],
    ["owners", "inbox_id"],
    ["webhooks", "id"],
    ["consumers", "id"],
    ["addresses", "address"],
  ] as const)("can't take or name another account's %s by %s, and writes nothing", async (kind, column) => {
    const {
      files,
      ada: { account_id },
    } = await prepare();
    const service = createTestService();
    const victim = await furnish(service, "victim");
    const { storage } = service.letterslot.services;
    const target = {
      inboxes: "inbox_id",
      messages: "message_id",
      webhooks: "webhook_id",
      consumers: "consumer_id",
    } as const;
    const own = kind === "addresses" ? victim.email : undefined;
    const field =
      column === "thread_id" || column === "message_id" || column === "inbox_id"
        ? column
        : target[kind as keyof typeof target];
    const value = own ?? victim[field];
    let changed = false;
    const forged = withLines(files, kind, (line) => {
      if (changed) return line;
      changed = true;
      return { ...line, [column]: value };
    });
    const before = await storage.count("messages", {}, 1_000);
    await expect(imported(service, forged)).rejects.toThrow(/belongs to another account here|doesn't have/);
    expect(await storage.count("messages", {}, 1_000)).toBe(before);
    expect(await storage.find("accounts", { where: { id: account_id }, limit: 1 })).toEqual([]);
  });

  test("can't have an inbox where the service or another domain is", async () => {
    const { ada, files } = await prepare();
    const renamed = (name: string, domain: string) => {
      const [from, to] = [ada.email, `${name}@${domain}`];
      const inboxes = withLines(files, "inboxes", (line) =>
        line["email"] === from ? { ...line, email: to, username: name, domain } : line,
      );
      return withLines(inboxes, "addresses", (line) =>
        line["address"] === from ? { ...line, address: to } : line,
      );
    };
    const domain = ada.email.split("@")[1] ?? "";
    for (const name of ["no-reply", "postmaster", "admin", "bounce-1", "r", "inb_1"])
      await expect(imported(createTestService(), renamed(name, domain)), name).rejects.toThrow(
        "can't be created here: The username is reserved",
      );
    await expect(imported(createTestService(), renamed("ada", "bank.example"))).rejects.toThrow(
      "Set MAIL_DOMAIN to bank.example",
    );
  });
});

describe("an inbox at a custom domain", () => {
  const NAME = "agents.example.com";
  async function withDomain() {
    const service = createTestService();
    const { as, account_id } = await service.signUp("agent");
    await provenDomain(service.letterslot.services, account_id, { domain: NAME });
    const inbox = await as.inboxes.create({ username: "ada", domain: NAME });
    return { inbox, account_id, files: await exported(service, account_id) };
  }

  test("comes with its domain, which is to be proven anew before mail is taken", async () => {
    const { inbox, account_id, files } = await withDomain();
    const other = createTestService();
    const { api_key } = await imported(other, files);
    const as = other.letterslot.as(await other.letterslot.authenticate(api_key ?? "", null));
    expect(await as.inboxes.get({ inbox_id: inbox.id })).toMatchObject({ email: `ada@${NAME}` });
    const { storage } = other.letterslot.services;
    expect(await storage.find("proven_domains", { where: { account_id }, limit: 1 })).toEqual([]);
    const { results } = await other.receive({ from: "bo@example.org", to: inbox.email });
    expect(results).toMatchObject([{ outcome: "refused" }]);
  });

  test("isn't taken where another account has proven the domain, nor without its domain", async () => {
    const { files } = await withDomain();
    const other = createTestService();
    const { account_id } = await other.signUp("agent");
    await provenDomain(other.letterslot.services, account_id, { domain: NAME });
    await expect(imported(other, files)).rejects.toThrow("no domain of this server");
    const bare = new Map([...files, ["domains.jsonl", Buffer.from("")]]);
    await expect(imported(createTestService(), bare)).rejects.toThrow("no domain of this server");
  });
});

describe("a phone number", () => {
  test("is in the list as released, and takes nobody's", async () => {
    const service = createTestService();
    const { as, account_id, inbox } = await service.signUp("agent");
    const { id, e164 } = await as.phoneNumbers.create({ inbox_id: inbox.id, area_code: "415" });
    const files = await exported(service, account_id);
    expect(linesIn(files, "phone_numbers")).toMatchObject([{ id, e164, status: "active" }]);
    const other = createTestService();
    const rival = await other.signUp("rival");
    await rival.as.phoneNumbers.create({ inbox_id: rival.inbox.id, phone_number: e164 });
    const forged = withLines(files, "phone_numbers", (line) => ({
      ...line,
      ...{ held_inbox_id: inbox.id, held_e164: e164, provider_id: `number-${e164}` },
    }));
    await expect(imported(other, forged)).rejects.toThrow("unknown field");
    const { api_key } = await imported(other, files);
    const again = other.letterslot.as(await other.letterslot.authenticate(api_key ?? "", null));
    expect((await again.phoneNumbers.list({})).data).toMatchObject([
      { id, e164, status: "released", released_at: expect.any(String) },
    ]);
    await expect(again.phoneNumbers.delete({ inbox_id: inbox.id })).rejects.toMatchObject({
      code: "phone_number_missing",
    });
    await again.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await other.work();
    expect(other.phone.sold).toHaveLength(1);
    expect((await rival.as.phoneNumbers.get({ inbox_id: rival.inbox.id })).e164).toBe(e164);
  });
});

describe("an account that was deleted", () => {
  test("comes back from its export with its addresses, and stays", async () => {
    const service = createTestService();
    const { account_id, inbox } = await service.signUp("agent");
    await service.receive({ from: "ada@sender.example", to: inbox.email, text: "Hello" });
    const files = await exported(service, account_id);
    await service.letterslot.operator.accounts.delete(account_id);
    await expect(imported(service, files)).rejects.toThrow("still being erased");
    await service.work();
    const { api_key } = await imported(service, files);
    await service.clock.advance(2 * 3600_000);
    await service.work();
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key ?? "", null));
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(1);
    await service.receive({ from: "ada@sender.example", to: inbox.email, text: "Hello again" });
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(2);
  });
});

describe("the trash", () => {
  test("comes along, and what an import restores is as it was, trusted for nothing", async () => {
    const source = createTestService();
    const ada = await furnish(source, "ada");
    const { inbox_id } = ada;
    const before = await ada.as.messages.list({ inbox_id, folder: "trash" });
    const task = await ada.as.tasks.get({ task_id: ada.task_id });
    await ada.as.messages.delete({ inbox_id, message_id: task.message_id ?? "" });
    const files = await exported(source, ada.account_id);
    const service = createTestService();
    const done = await imported(service, files);
    expect(done.missing_files).toBe(0);
    const as = service.letterslot.as(await service.letterslot.authenticate(done.api_key, null));
    const here = await as.messages.list({ inbox_id, folder: "trash" });
    const ids = [task.message_id, ...before.data.map(({ id }) => id)];
    expect(here.data.map(({ id }) => id)).toEqual(
      ids.toSorted((one, other) => (one ?? "").localeCompare(other ?? "")).toReversed(),
    );
    await as.messages.restore({ inbox_id, message_id: task.message_id ?? "" });
    expect(await as.tasks.get({ task_id: task.id })).toMatchObject({
      ...{ text: task.text, trusted: false, imported: true, untrusted_reason: "imported" },
    });
    const raw = await as.messages.raw({ inbox_id, message_id: task.message_id ?? "" });
    expect(Buffer.from(raw.bytes).toString()).toContain("Subject: ada Second");
    await as.threads.restore({ inbox_id, thread_id: ada.trashed_thread_id });
    await as.drafts.restore({ inbox_id, draft_id: ada.trashed_draft_id });
  });

  test("shows a key no content of held mail", async () => {
    const service = createTestService();
    const ada = await furnish(service, "ada");
    const { inbox_id, held_message_id: message_id } = ada;
    await ada.as.messages.delete({ inbox_id, message_id });
    const kept = await exported(service, ada.account_id, true);
    const shown = await exported(service, ada.account_id, false);
    const text = (files: Files) => [...files.values()].map((file) => file.toString()).join("\n");
    expect(text(kept)).toContain("Ignore all previous instructions");
    expect(text(shown)).not.toContain("Ignore all previous instructions");
  });

  test.each([
    ["a message that lacks its sender", ({ from: _none, ...record }: Line) => record],
    ["a message with a column that none has", (record: Line) => ({ ...record, admin: true })],
  ])("with %s is refused before anything is written", async (_what, change) => {
    const source = createTestService();
    const ada = await copyFurnished(source);
    const files = withLines(await exported(source, ada.account_id), "trash", (line) =>
      String(line["id"]).startsWith("msg_") ? { ...line, record: change(line["record"] as Line) } : line,
    );
    const service = createTestService();
    await expect(imported(service, files)).rejects.toThrow("trash.jsonl");
    expect(await service.letterslot.services.storage.count("accounts", {}, 1)).toBe(0);
  });
});

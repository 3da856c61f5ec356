import { expect, test } from "vitest";
import { inboxesOfPersons, publicKeyHash } from "../../packages/core/internal/index.ts";
import type { Storage } from "../../packages/core/src/ports/index.ts";
import { KNOWN, WRITTEN } from "./old-recipients.ts";
import { checkRegistry, fillOldRegistry, type InsertOld } from "./old-registry.ts";
import { NEW_MESSAGES, OLD_MESSAGES, OLD_PARTICIPANTS } from "./old-unaddressed.ts";

/**
 * Makes a database of an older version, of the first one or of that before the migration named `before`, fills it, and
 * opens it as this version does.
 */
export type OpenOlder = (
  fill: (insert: InsertOld) => Promise<void> | void,
  options?: { before?: string },
) => Promise<Storage>;

const DAY = 24 * 3600_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY).toISOString();
const [account_id, inbox_id] = ["acct_1", "inb_1"];

/** Tests the migrations of older databases' records: the same for each SQL database. */
export function testOlderDatabases(open: OpenOlder): void {
  test("an older database's accounts note the earliest outside owner who was verified, who alone claims them", async () => {
    const storage = await open(async (insert) => {
      await insert("accounts", { id: account_id });
      // An owner inside this service claimed it once.
      await insert("accounts", { id: "acct_2", claimed: "1" });
      await insert("inboxes", { id: inbox_id, account_id, domain: "mail.example" });
      for (const [id, email, verified_at] of [
        ["own_1", "late@example.com", "2026-01-03T00:00:00.000Z"],
        ["own_2", "agent@mail.example", "2026-01-01T00:00:00.000Z"],
        ["own_3", "agent@sub.mail.example", "2026-01-01T00:00:00.000Z"],
        ["own_4", "first@example.com", "2026-01-02T00:00:00.000Z"],
        ["own_5", "pending@example.com", null],
      ] as const)
        await insert("owners", { id, email, verified_at, account_id, inbox_id, page_hash: id });
    });
    expect(await storage.get("accounts", account_id)).toMatchObject({
      first_owner_email: "first@example.com",
      claimed: true,
    });
    expect(await storage.get("accounts", "acct_2")).toMatchObject({
      first_owner_email: null,
      claimed: false,
    });
  });

  test("what an older database noted of a mail is found by its first record, which names the others", async () => {
    const storage = await open(
      async (insert) => {
        for (const [message_id, hash] of [
          ["msg_1", "b"],
          ["msg_1", "a"],
          ["msg_2", "b"],
        ] as const)
          await insert("outside_mentions", { account_id, inbox_id, message_id, hash, at: ago(3) });
      },
      { before: "0071-mentions-noted-together" },
    );
    const where = { noted_at: { lt: ago(2) } };
    const order = { by: "message_id", direction: "asc" } as const;
    const found = await storage.find("outside_mentions", { where, order, limit: 9 });
    expect(
      found.map(({ message_id, hash, noted }) => ({ message_id, hash, noted: noted?.toSorted() })),
    ).toEqual([
      { message_id: "msg_1", hash: "a", noted: ["a", "b"] },
      { message_id: "msg_2", hash: "b", noted: ["b"] },
    ]);
  });

  test("an older database's accounts count the bytes that they store", async () => {
    const storage = await open(async (insert) => {
      for (const id of [account_id, "acct_2"]) await insert("accounts", { id });
      for (const [id, size_bytes] of [
        ["msg_1", 100],
        ["msg_2", 23],
      ] as const)
        await insert("messages", { id, account_id, inbox_id, dedupe_key: id, size_bytes });
      const attachments = JSON.stringify([{ size_bytes: 1000 }, { size_bytes: 200 }]);
      await insert("drafts", { id: "dft_1", account_id, inbox_id, attachments });
    });
    expect((await storage.get("accounts", account_id))?.storage_bytes).toBe(1323);
    expect((await storage.get("accounts", "acct_2"))?.storage_bytes).toBe(0);
  });

  test("an older database's accounts know whom they have written to, but for the service's letters", async () => {
    const storage = await open(async (insert) => {
      for (const message of WRITTEN) await insert("messages", message);
    });
    const order = { by: "address", direction: "asc" } as const;
    expect(await storage.find("recipients", { where: { account_id }, order, limit: 9 })).toEqual(
      KNOWN.map((known) => ({ ...known, left_at: null, approved_at: null, inbox_id: null })),
    );
  });

  test("an older database's participants without a name have null, and its tasks' results are JSON", async () => {
    const [ada, bo] = [
      { address: "ada@example.com", name: 'Ada "A" Lovelace' },
      { address: "bo@example.com", name: "" },
    ];
    const storage = await open(async (insert) => {
      const participants = JSON.stringify([bo, ada, bo]);
      await insert("threads", { id: "thr_1", labels: "[]", participants });
      await insert("threads", { id: "thr_2", labels: "[]", participants: "[]" });
      for (const [id, result] of [
        ["tsk_1", 'Said "done"'],
        ["tsk_2", null],
        ["tsk_3", "1"],
      ] as const)
        await insert("tasks", { id, message_id: id, result });
    });
    const unnamed = { ...bo, name: null };
    expect((await storage.get("threads", "thr_1"))?.participants).toEqual([unnamed, ada, unnamed]);
    expect((await storage.get("threads", "thr_2"))?.participants).toEqual([]);
    const results = ["tsk_1", "tsk_2", "tsk_3"].map(async (id) => (await storage.get("tasks", id))?.result);
    expect(await Promise.all(results)).toEqual(['"Said \\"done\\""', null, '"1"']);
  });

  test("an older database's entries without an address are told as such, and drafts lose them", async () => {
    const storage = await open(async (insert) => {
      for (const message of OLD_MESSAGES) await insert("messages", message);
      await insert("threads", { id: "thr_1", labels: "[]", participants: OLD_PARTICIPANTS });
      const lists = { to: '["","a@b.c"]', cc: '[""]', bcc: "[]", attachments: "[]" };
      await insert("drafts", { id: "dft_1", account_id, inbox_id, ...lists });
      for (const term of ["to:", "to:a@b.c"])
        await insert("message_terms", { inbox_id, term, message_id: "msg_1" });
    });
    for (const { id, ...expected } of NEW_MESSAGES)
      expect(await storage.get("messages", id)).toMatchObject(expected);
    expect((await storage.get("threads", "thr_1"))?.participants).toEqual([{ address: "a@b.c", name: null }]);
    expect(await storage.get("drafts", "dft_1")).toMatchObject({ to: ["a@b.c"], cc: [] });
    const termed = (term: string) => storage.count("message_terms", { inbox_id, term }, 9);
    expect([await termed("to:"), await termed("to:a@b.c")]).toEqual([0, 1]);
  });

  test("an older database's suppressions say who made them, and return paths of before are read for a week", async () => {
    const storage = await open(async (insert) => {
      await insert("accounts", { id: account_id });
      await insert("messages", { id: "msg_1", account_id, inbox_id, dedupe_key: "msg_1" });
      for (const reason of ["manual", "stop", "bounce", "complaint"])
        await insert("suppressions", { id: reason, account_id, address: `${reason}@example.com`, reason });
    });
    const found = await storage.find("suppressions", { where: { account_id }, limit: 10 });
    expect(new Map(found.map(({ reason, made_by }) => [reason, made_by]))).toEqual(
      new Map([
        ["manual", "key"],
        ["stop", "person"],
        ["bounce", "bounce"],
        ["complaint", "complaint"],
      ]),
    );
    const until = Date.parse((await storage.get("counters", "earlier-return-paths"))?.expires_at ?? "");
    expect(Math.abs(until - Date.now() - 7 * DAY)).toBeLessThan(60_000);
  });

  test("an older database without mail reads no return paths of before", async () => {
    const storage = await open((insert) => insert("accounts", { id: account_id }));
    expect(await storage.get("counters", "earlier-return-paths")).toBeUndefined();
  });

  test("an older database whose inboxes have persons' addresses says of each who has it, and serves", async () => {
    const storage = await open(fillOldRegistry, { before: "0031-addresses" });
    await checkRegistry(storage);
    expect(await inboxesOfPersons({ storage })).toEqual([{ address: "cfo@firm.test", inbox_id: "inb_2" }]);
    const at = async (domain: string) => {
      const kind = { in: ["inbox" as const, "person" as const, "retired" as const] };
      const found = await storage.find("addresses", { where: { domain, kind }, limit: 9 });
      return found.map(({ address }) => address).toSorted();
    };
    expect(await at("firm.test")).toEqual(["cfo@firm.test", "gone@firm.test", "old@firm.test"]);
    // The registry itself added this one, of somebody in charge.
    expect(await at("example.com")).toEqual(["chief@example.com"]);
    expect(await at("")).toEqual([]);
  });

  test("an older database's letters are registered, with their secrets, for 90 days from when they were written", async () => {
    const [written, long_ago] = [ago(10), ago(100)];
    const storage = await open(
      async (insert) => {
        for (const id of [account_id, "acct_2"]) await insert("accounts", { id });
        const email = "grace@example.com";
        await insert("owners", { id: "own_1", email, account_id, inbox_id, link_hash: "own_1" });
        for (const [id, message_id, created_at, extracted_text] of [
          ["msg_1", "<Confirm@Mail.Test>", written, ""],
          ["msg_2", "<update@mail.test>", written, "Half of it is done.\n\nBye"],
          ["msg_3", "<approval@mail.test>", written, ""],
          ["msg_4", "<old@mail.test>", long_ago, ""],
          ["msg_5", "<concise@mail.test>", written, "An update"],
        ] as const)
          await insert("messages", {
            ...{ id, account_id, inbox_id, message_id, created_at, extracted_text, dedupe_key: id },
            ...{ thread_id: "thr_1", to: "[]", cc: "[]", bcc: "[]", labels: "[]", direction: "outbound" },
          });
        for (const [hash, kind, message_id, owner_id] of [
          ["h1", "confirm", "msg_1", "own_1"],
          ["h2", "page", "msg_1", "own_1"],
          ["h3", "page", "msg_2", "own_1"],
          ["h4", "approve", "msg_3", null],
          ["h5", "page", "msg_4", "own_1"],
          ["h6", "page", null, "own_1"],
        ] as const)
          await insert("letter_secrets", {
            ...{ hash, kind, message_id, owner_id, email, account_id, inbox_id },
            created_at: written,
          });
        await insert("updates", { id: "upd_1", account_id, inbox_id, text: "Half of it is done." });
        for (const message_id of ["msg_2", "msg_5"])
          await insert("update_letters", { message_id, update_id: "upd_1", inbox_id, owner_id: "own_1" });
      },
      { before: "0031-addresses" },
    );
    const letter = (message_id: string) => storage.get("letters", message_id);
    const common = { account_id, inbox_id, email: "grace@example.com", message_id_readable: true };
    const expires_at = new Date(Date.parse(written) + 90 * DAY).toISOString();
    expect(await letter("<confirm@mail.test>")).toEqual({
      ...{ ...common, message_id: "<confirm@mail.test>", kind: "confirmation", subject_id: "own_1" },
      ...{ stored_message_id: "msg_1", created_at: written, expires_at },
    });
    expect(await letter("<update@mail.test>")).toMatchObject({ ...common, kind: "update", subject_id: null });
    expect(await letter("<approval@mail.test>")).toMatchObject({ kind: "approval", subject_id: null });
    expect(await letter("<old@mail.test>")).toBeUndefined();
    expect(await letter("<concise@mail.test>")).toBeUndefined();
    const ids = ["h1", "h2", "h3", "h4", "h5", "h6"].map(
      async (hash) => (await storage.get("letter_secrets", hash))?.letter_id,
    );
    expect(await Promise.all(ids)).toEqual([
      ...["<confirm@mail.test>", "<confirm@mail.test>", "<update@mail.test>", "<approval@mail.test>"],
      ...[null, null],
    ]);
    const whole = async (message_id: string) =>
      (await storage.find("update_letters", { where: { message_id }, limit: 1 }))[0]?.whole;
    expect([await whole("msg_2"), await whole("msg_5")]).toEqual([true, false]);
    const until = (await storage.get("accounts", account_id))?.letters_live_until ?? "";
    expect(Math.abs(Date.parse(until) - Date.now() - DAY)).toBeLessThan(60_000);
    expect((await storage.get("accounts", "acct_2"))?.letters_live_until).toBe("");
  });

  test("an older database's keys are known for good, those that come next and came before too", async () => {
    const keys = ["first", "next", "previous", "second"].map((each) => Buffer.from(each).toString("base64"));
    const [first = "", next = "", previous = "", second = ""] = keys;
    const storage = await open(
      async (insert) => {
        const lists = { records: "[]", warnings: "[]", workspace_ids: "[]", dns: "{}" };
        const mail = '{"receiving":false,"sending":true}';
        for (const [id, dkim_public_key, next_dkim_public_key, previous_dkim_public_key] of [
          ["dom_1", first, next, previous],
          ["dom_2", second, null, first],
        ] as const)
          await insert("domains", {
            ...{ id, account_id, domain: `${id}.example`, ...lists, mail, status: "verified" },
            ...{ dkim_public_key, next_dkim_public_key, previous_dkim_public_key },
          });
      },
      { before: "0031-addresses" },
    );
    for (const key of keys) expect(await storage.get("known_keys", publicKeyHash(key))).toBeDefined();
    expect(await storage.get("known_keys", publicKeyHash("b3RoZXI="))).toBeUndefined();
  });

  test("an older database's held mail, open questions and finished tasks are found", async () => {
    const written = ago(10);
    const storage = await open(
      async (insert) => {
        await insert("inboxes", { id: inbox_id, account_id });
        await insert("trashed_inboxes", { id: "inb_trashed", account_id, record: "{}" });
        for (const [id, label, inbox] of [
          ["msg_1", "held", inbox_id],
          ["msg_2", "received", inbox_id],
          ["msg_3", "held", "inb_trashed"],
        ] as const) {
          await insert("messages", { id, account_id, inbox_id: inbox, labels: JSON.stringify([label]) });
          await insert("message_terms", { inbox_id: inbox, term: `label:${label}`, message_id: id });
        }
        const common = { type: "yes_no", options: null, default: null };
        const question = JSON.stringify({ ...common, expires_at: null });
        const expiring = JSON.stringify({ ...common, expires_at: ago(-1) });
        await insert("updates", { id: "upd_1", account_id, inbox_id, question });
        await insert("updates", { id: "upd_2", account_id, inbox_id, question, answered_at: written });
        await insert("updates", { id: "upd_3", account_id, inbox_id, question: null });
        await insert("updates", { id: "upd_4", account_id, inbox_id, question: expiring });
        await insert("jobs", { id: "job_1", kind: "question.expire", subject_id: "upd_4", payload: "{}" });
        // An import stores what was asked elsewhere, but no job that would end it.
        await insert("updates", { id: "upd_5", account_id, inbox_id, question: expiring });
        for (const status of ["pending", "done"])
          await insert("tasks", { id: `tsk_${status}`, account_id, inbox_id, status, updated_at: written });
      },
      { before: "0069-overview" },
    );
    const found = async (table: "messages" | "updates" | "tasks", column: string) =>
      Promise.all(
        OVERVIEW_IDS[table].map(
          async (id) => ((await storage.get(table, id)) as unknown as Record<string, unknown>)[column],
        ),
      );
    expect(await found("messages", "attention")).toEqual(["held", null, "held"]);
    expect(await found("updates", "waiting_id")).toEqual(["upd_1", null, null, "upd_4", null]);
    expect(await found("tasks", "done_at")).toEqual([null, written]);
  });
}

const OVERVIEW_IDS = {
  messages: ["msg_1", "msg_2", "msg_3"],
  updates: ["upd_1", "upd_2", "upd_3", "upd_4", "upd_5"],
  tasks: ["tsk_pending", "tsk_done"],
};

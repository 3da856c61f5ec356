import { expect } from "vitest";
import type { Storage } from "../../packages/core/src/ports/index.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/** Adds a row to a table of an older version; columns that aren't named get empty values. */
export type InsertOld = (table: string, row: Record<string, string | number | null>) => Promise<void> | void;

const AT = "2026-01-01T00:00:00.000Z";
const AGENT = "agent@letterslot.localhost";
const CFO = "cfo@firm.test";

const inbox = (id: string, account_id: string, email: string) => ({
  ...{ id, account_id, email, username: email.split("@")[0] ?? "", domain: email.split("@")[1] ?? "" },
  ...{ status: "active", screening: "observe", send_mode: "direct", labels: "[]", metadata: "{}" },
  created_at: AT,
});
const owner = (id: string, email: string, status = "verified") => ({
  ...{ id, email, status, account_id: "acct_1", inbox_id: "inb_1", digest: "immediate" },
  ...{ created_at: AT, verified_at: status === "verified" ? AT : null, link_hash: id },
});
const domain = (id: string, name: string, receiving: boolean) => ({
  ...{ id, domain: name, account_id: "acct_2", status: "verified", mail_from_subdomain: "ls-bounce" },
  ...{ records: "[]", warnings: "[]", workspace_ids: "[]", created_at: AT, verified_at: AT },
  mail: JSON.stringify({ receiving, sending: true }),
});
const authority = (id: string, email: string) => ({
  ...{ id, email, account_id: "acct_1", inbox_id: null, since: AT, given_by: "operator" },
});

/**
 * Fills a database of the version before addresses were registered: a person's address that is an inbox's too, where its
 * mail comes in elsewhere and where it comes in here.
 */
export async function fillOldRegistry(insert: InsertOld): Promise<void> {
  await insert("accounts", { id: "acct_1", created_at: AT, first_owner_email: CFO, lifecycle_emails: "off" });
  await insert("accounts", { id: "acct_2", created_at: AT, lifecycle_emails: "off" });
  for (const [id, account_id, email] of [
    ["inb_1", "acct_1", AGENT],
    ["inb_2", "acct_2", CFO],
    ["inb_3", "acct_2", "boss@here.test"],
  ] as const) {
    await insert("inboxes", inbox(id, account_id, email));
    await insert("addresses", { address: email, account_id, inbox_id: id, created_at: AT });
  }
  for (const address of ["old@firm.test", "gone@firm.test"])
    await insert("addresses", { address, account_id: "acct_2", inbox_id: null, created_at: AT });
  await insert("owners", owner("own_1", CFO));
  await insert("owners", owner("own_2", "boss@here.test"));
  await insert("owners", owner("own_3", "gone@firm.test"));
  await insert("owners", owner("own_4", "pending@example.com", "pending"));
  await insert("authorities", authority("aut_1", CFO));
  await insert("authorities", authority("aut_2", "chief@example.com"));
  for (const [id, name, receiving] of [
    ["dom_1", "firm.test", false],
    ["dom_2", "here.test", true],
  ] as const) {
    await insert("domains", domain(id, name, receiving));
    await insert("proven_domains", { domain: name, domain_id: id, account_id: "acct_2", proven_at: AT });
  }
  for (const [id, inbox_id, address] of [
    ["ent_1", "inb_1", CFO],
    ["ent_2", "inb_1", "firm.test"],
    ["ent_3", "inb_1", "boss@here.test"],
    ["ent_4", "inb_2", AGENT],
  ] as const)
    await insert("allowlist", { id, inbox_id, address, account_id: "acct_1", created_at: AT });
  await insert("list_entries", {
    ...{ id: "ent_5", account_id: "acct_1", inbox_id: null, list: "acct_1:send:allow", direction: "send" },
    ...{ type: "allow", entry: "boss@here.test", entry_type: "email", created_at: AT },
  });
}

/** Checks the result of the upgrade, and that the service works: the person's mail is an order, the inbox's isn't. */
export async function checkRegistry(storage: Storage): Promise<void> {
  const addresses = [];
  for (const address of [
    ...[AGENT, CFO, "boss@here.test", "old@firm.test", "gone@firm.test"],
    ...["chief@example.com", "pending@example.com"],
  ])
    addresses.push(await storage.get("addresses", address));
  expect(addresses.map((each) => each && [each.kind, each.account_id, each.inbox_id])).toEqual([
    ["inbox", "acct_1", "inb_1"],
    ["person", "acct_2", "inb_2"],
    ["inbox", "acct_2", "inb_3"],
    ["retired", "acct_2", null],
    ["person", "acct_2", null],
    ["person", null, null],
    undefined,
  ]);
  const entries = [];
  for (const id of ["ent_1", "ent_2", "ent_3", "ent_4"]) entries.push(await storage.get("allowlist", id));
  expect(entries.map((entry) => entry?.names)).toEqual(["outside", "outside", "inb_3", "inb_1"]);
  expect((await storage.get("list_entries", "ent_5"))?.names).toBe("inb_3");

  const service = createTestService({ storage });
  const receive = (subject: string) => service.receive({ from: CFO, to: AGENT, subject });
  expect((await receive("By the person")).results).toMatchObject([{ outcome: "stored" }]);
  const raw = new TextEncoder().encode(
    `From: ${CFO}\r\nTo: ${AGENT}\r\nSubject: By the inbox\r\nMessage-ID: <a@firm.test>\r\n\r\nPay.\r\n`,
  );
  const envelope = { mail_from: CFO, rcpt_to: [AGENT], client_ip: null, helo: null };
  const sent_by = { inbox_id: "inb_2", account_id: "acct_2", address: CFO };
  const inside = await service.letterslot.receive({ raw, envelope, origin: "internal", sent_by });
  expect(inside.results).toMatchObject([{ outcome: "stored" }]);
  const person = service.letterslot.asOwner({ email: CFO, account_id: "acct_1" });
  expect((await person.tasks.list({})).data).toMatchObject([{ subject: "By the person", trusted: true }]);
  const order = { by: "id", direction: "asc" } as const;
  const messages = await storage.find("messages", { where: { inbox_id: "inb_1" }, order, limit: 9 });
  expect(messages.map(({ subject }) => subject)).toEqual(["By the person", "By the inbox"]);
}

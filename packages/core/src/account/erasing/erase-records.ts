import { holdAddressesAt } from "../../kernel/addresses/address-registry.ts";
import { leaveZone } from "../../kernel/addresses/custom-domains.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { eraseExport } from "../../mailbox/messages/index.ts";
import { type AnyRecord, tablesOfAccount } from "../../model/belonging.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { listName } from "../../model/lists.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import type { TableName } from "../../model/tables.ts";
import { endGrants } from "../../owners/oauth-grants/index.ts";
import { giveBackErased } from "../../phone/telephony/index.ts";
import { eraseRecords } from "../inboxes/purge.ts";

const RECORDS_PER_STEP = 200;

/** Inboxes are closed before, with all that belongs to them; addresses stay, so that nobody else gets them. */
const NOT_HERE: readonly TableName[] = ["inboxes", "addresses"];

/**
 * Deletes some records of each table that belong to an account, except the tables in `kept`, its inboxes and its
 * addresses. Returns whether there may be more. `mayGoOn` is checked in each transaction.
 */
export async function eraseSomeRecords(
  services: Services,
  account_id: string,
  now: Date,
  {
    kept = [],
    mayGoOn = async () => true,
  }: { kept?: readonly TableName[]; mayGoOn?(work: Work): Promise<boolean> } = {},
): Promise<boolean> {
  const storage = services.storage as unknown as AnyReader;
  let more = false;
  for (const { table, order } of tablesOfAccount()) {
    if ([...NOT_HERE, ...kept].includes(table)) continue;
    // Read before the transaction, which holds the storage only for as long as it deletes.
    const records = await storage.find(table, {
      where: { account_id },
      order: { by: order, direction: "asc" },
      limit: RECORDS_PER_STEP,
    });
    if (records.length === 0) continue;
    const erased = await unitOfWork(services, account_id, now, async (work) => {
      if (!(await mayGoOn(work))) return false;
      await (ERASE[table] ?? eraseRecords)(work, records, now, table);
      return true;
    });
    more ||= erased;
  }
  await unitOfWork(services, account_id, now, async (work) => {
    if (!(await mayGoOn(work))) return;
    for (const list of listsOf(account_id)) await work.delete("list_entries", { list });
  });
  return more;
}

type Erase = typeof eraseRecords;

/** Tables whose records have more to delete than what `eraseRecords` deletes. */
const ERASE: Partial<Record<TableName, Erase>> = {
  async oauth_grants(work, records, now) {
    await endGrants(work, records as { id: string }[], now);
  },
  /** A separate job removes the service's records from the zones of domains. */
  async domains(work, records, now, table) {
    for (const record of records as DomainRecord[]) {
      await leaveZone(work, record, now);
      await holdAddressesAt(work, record.domain, now);
    }
    await eraseRecords(work, records, now, table);
  },
  /** Separate jobs release numbers that the provider still has to take back. */
  async phone_numbers(work, records, now, table) {
    await eraseRecords(work, records, now, table);
    giveBackErased(work, records as PhoneNumberRecord[]);
  },
  /** Exports with pieces left stay, and are found again. */
  async exports(work, records, now) {
    for (const { id } of records) await eraseExport(work, id as string, now);
  },
  /** What is noted of a mail under hundreds of hashes. */
  async outside_mentions(work, records) {
    const mentions = records as OutsideMentionRecord[];
    for (const [account_id, some] of Map.groupBy(mentions, (each) => each.account_id))
      await work.delete("outside_mentions", { account_id, hash: { in: some.map(({ hash }) => hash) } });
  },
  /** A webhook goes after its last delivery: there can be very many of them. */
  async webhooks(work, records, now, table) {
    const deliveries = await work.find("deliveries", {
      where: { webhook_id: { in: records.map(({ id }) => id as string) } },
      order: { by: "id", direction: "asc" },
      limit: RECORDS_PER_STEP,
    });
    if (deliveries.length > 0) await eraseRecords(work, deliveries, now, "deliveries");
    if (deliveries.length < RECORDS_PER_STEP) await eraseRecords(work, records, now, table);
  },
};

/** Reads without the tables' types, for code that goes over several tables. */
interface AnyReader {
  find(
    table: TableName,
    query: { where: AnyRecord; order: { by: string; direction: "asc" }; limit: number },
  ): Promise<AnyRecord[]>;
}

/** The account's own lists; those of its inboxes go with them. */
const listsOf = (account_id: string): string[] =>
  (["send", "receive", "reply"] as const).flatMap((direction) =>
    (["allow", "block"] as const).map((type) => listName(account_id, direction, type)),
  );

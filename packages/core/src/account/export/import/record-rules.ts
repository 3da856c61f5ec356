import { z } from "zod";
import { LetterslotError } from "../../../catalogue/errors.ts";
import { type IdPrefix, isId } from "../../../catalogue/ids.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { checkUrl } from "../../../events/webhooks/index.ts";
import type { Services } from "../../../kernel/context.ts";
import { issueText } from "../../../kernel/input/issue-words.ts";
import { normalizeEntry } from "../../../mailbox/allowlist/index.ts";
import { checkEntry, ListReason } from "../../../mailbox/lists/index.ts";
import { canonicalAddress } from "../../../model/address.ts";
import type { AllowlistRecord } from "../../../model/allowlist.ts";
import type { AnyRecord } from "../../../model/belonging.ts";
import type { ConsumerRecord } from "../../../model/consumers.ts";
import type { DomainRecord } from "../../../model/domains.ts";
import { ClientId } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { KeyRecord } from "../../../model/keys.ts";
import { type ListEntryRecord, listName } from "../../../model/lists.ts";
import type { OwnerRecord } from "../../../model/owners.ts";
import type { TableName } from "../../../model/tables.ts";
import type { WebhookRecord } from "../../../model/webhooks.ts";
import { KeyName } from "../../accounts/keys/rules.ts";
import { checkDomainName } from "../../domains/dns/name.ts";
import { checkInbox } from "../../inboxes/settings.ts";
import { ArchiveError } from "../archive.ts";

/** The prefix of the ids of the records that have one. */
const ID_OF: Partial<Record<TableName, IdPrefix>> = {
  ...{
    inboxes: "inb",
    trashed_inboxes: "inb",
    keys: "key",
    authorities: "aut",
    webhooks: "wh",
    consumers: "evc",
    domains: "dom",
  },
  ...{ suppressions: "ent", list_entries: "ent", allowlist: "ent", phone_numbers: "pho", owners: "own" },
  ...{ threads: "thr", messages: "msg", drafts: "dft", approvals: "apr", tasks: "tsk", updates: "upd" },
  expectations: "exp",
  inbox_rules: "rul",
  forwardings: "fwd",
  ...{ update_deliveries: "upd", events: "evt", deliveries: "whd" },
};

/** The prefix of the ids that a column of any record names another record by. */
const NAMES: Readonly<Record<string, IdPrefix>> = {
  ...{
    inbox_id: "inb",
    thread_id: "thr",
    group_id: "thr",
    owner_id: "own",
    update_id: "upd",
    answers_update_id: "upd",
  },
  ...{ webhook_id: "wh", approval_id: "apr", event_id: "evt", parent_key_id: "key", asked_by_key_id: "key" },
  ...{ source_message_id: "msg", last_message_id: "msg", last_human_message_id: "msg" },
};

/** Fails with an `ArchiveError` unless a word is an id with this prefix, or empty. */
function checkId(kind: TableName, column: string, prefix: IdPrefix, value: unknown): void {
  if (value === null || value === undefined || (typeof value === "string" && isId(prefix, value))) return;
  throw new ArchiveError(
    `A record of ${kind} has ${JSON.stringify(value).slice(0, 60)} in ${column}, which is no id of that kind.`,
  );
}

/** The checks that a record would have passed if it had been created here, by the functions of its operation. */
const RULES: Partial<Record<TableName, (services: Services, record: AnyRecord) => void>> = {
  inboxes: (_services, record) => checkInbox(record as InboxRecord),
  trashed_inboxes: (_services, { record }) => checkInbox(record as InboxRecord),
  keys: (_services, record) => void KeyName.parse((record as KeyRecord).name),
  webhooks: (services, record) => {
    const { url, inbox_ids, client_id } = record as WebhookRecord;
    checkUrl(services, url);
    WebhookInputs.parse({ inbox_ids, client_id });
  },
  consumers: (_services, record) => void ClientId.parse((record as ConsumerRecord).client_id),
  domains: ({ options }, record) => {
    const { domain, dkim_selector, mail_from_subdomain } = record as DomainRecord;
    const read = checkDomainName(domain, options.mailDomain);
    if ("refusal" in read) throw new ArchiveError(read.refusal);
    if (read.domain !== domain) throw new ArchiveError("It isn't written in its canonical form.");
    z.array(z.string().regex(/^[a-z0-9-]{1,63}$/)).parse([dkim_selector, mail_from_subdomain]);
  },
  list_entries: (_services, record) => {
    const { list, entry, entry_type, direction, type, reason, ...of } = record as ListEntryRecord;
    if (list !== listName(of.inbox_id ?? of.account_id, direction, type))
      throw new ArchiveError("It is on a list that is not its own.");
    const checked = checkEntry(entry);
    if (checked.entry !== entry || checked.entry_type !== entry_type)
      throw new ArchiveError("Its entry isn't what its list would have stored.");
    if (reason !== null) ListReason.parse(reason);
  },
  allowlist: (_services, record) => {
    const { address } = record as AllowlistRecord;
    if (normalizeEntry(address) !== address)
      throw new ArchiveError("Its address isn't what the list would have stored.");
  },
  // Letters go to the one, and whoever answers them is the other.
  owners: (_services, record) => {
    const { email, given_email } = record as OwnerRecord;
    if (canonicalAddress(given_email ?? email) !== email)
      throw new ArchiveError("It would be written to at another address than its own.");
  },
};

const WebhookInputs = z.object({
  inbox_ids: z.array(z.string()).max(LIMITS.webhook_inboxes),
  client_id: ClientId.nullable(),
});

/** The maximum number of records of a kind per owner, the same as when they are created. */
export const AT_MOST: Partial<Record<TableName, { by: string; max: number }>> = {
  webhooks: { by: "account_id", max: LIMITS.webhooks_per_account },
  list_entries: { by: "list", max: LIMITS.list_entries },
  allowlist: { by: "inbox_id", max: LIMITS.allowlist_entries },
  owners: { by: "inbox_id", max: LIMITS.owners_per_inbox },
};

/**
 * Checks that a record could be created here as it is: its ids are ids, and each field is what the operation that
 * creates such a record would have stored. Throws an `ArchiveError` that names the record.
 */
export function checkRecord(services: Services, kind: TableName, record: AnyRecord): void {
  for (const [column, value] of Object.entries(record)) {
    const prefix = column === "id" ? ID_OF[kind] : NAMES[column];
    if (prefix !== undefined) checkId(kind, column, prefix, value);
  }
  if (kind === "suppressions" && record["only_inbox_id"] !== "")
    checkId(kind, "only_inbox_id", "inb", record["only_inbox_id"]);
  try {
    RULES[kind]?.(services, record);
  } catch (error) {
    const why = reasonOf(error, record);
    if (why === undefined) throw error;
    throw new ArchiveError(`The record ${String(record["id"])} of ${kind} can't be created here: ${why}`);
  }
}

function reasonOf(error: unknown, record: unknown): string | undefined {
  if (error instanceof ArchiveError) return error.message;
  if (error instanceof LetterslotError) return `${error.message} (${error.code})`;
  return error instanceof z.ZodError ? issueText(error, record) : undefined;
}

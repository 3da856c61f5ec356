import type { z } from "zod";
import { timeOfId } from "../../catalogue/ids.ts";
import { inChargeAmong } from "../../kernel/access/authority.ts";
import { reachesInbox } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { entriesFor } from "../../mailbox/allowlist/index.ts";
import type { Contact, ContactMetadataRecord } from "../../model/contacts.ts";
import { iso } from "../../model/fields.ts";
import { listName } from "../../model/lists.ts";
import { knownAmong } from "../gate/index.ts";
import type { Folded } from "./rules.ts";

type Reader = Pick<AccountContext, "storage" | "caller" | "account_id" | "now">;

const LISTS = (["send", "receive", "reply"] as const).flatMap((direction) =>
  (["allow", "block"] as const).map((type) => ({ direction, type })),
);

/** Contacts as shown: what mail says of them, and what the account says. A number of reads that doesn't grow with the page. */
export async function showContacts(
  ctx: Reader,
  contacts: readonly Folded[],
  metadata_of: readonly string[],
): Promise<z.input<typeof Contact>[]> {
  if (contacts.length === 0) return [];
  const { storage, account_id, caller } = ctx;
  const keys = contacts.map(({ address }) => address);
  const inbox_ids = [...new Set(contacts.flatMap((contact) => contact.inbox_ids))];
  const newest = contacts.map(({ last_message_id }) => last_message_id);
  const [messages, cursors, known, in_charge, addresses, suppressed, listed, metadata] = await Promise.all([
    storage.find("messages", { where: { id: { in: newest } }, limit: newest.length }),
    storage.find("contact_cursors", { where: { inbox_id: { in: inbox_ids } }, limit: inbox_ids.length }),
    knownAmong(ctx, keys),
    inChargeAmong(storage, account_id, keys),
    storage.find("addresses", { where: { address: { in: keys } }, limit: keys.length }),
    storage.find("suppressions", {
      where: { account_id, address: { in: keys }, only_inbox_id: "" },
      limit: keys.length,
    }),
    listsOf(ctx, inbox_ids, keys),
    storage.find("contact_metadata", {
      where: { account_id, address: { in: keys }, only_inbox_id: { in: [...metadata_of] } },
      limit: keys.length * metadata_of.length,
    }),
  ]);
  const threads = new Map(messages.map(({ id, thread_id }) => [id, thread_id]));
  const counted = new Map(cursors.map(({ inbox_id, counted_to }) => [inbox_id, counted_to]));
  const own = new Set([
    ...in_charge,
    ...addresses
      .filter((each) => each.account_id === account_id && reachesInbox(caller, each.inbox_id))
      .map(({ address }) => address),
  ]);
  // One that its own person has lifted counts until mail is sent to them: that is looked up where mail leaves.
  const closed = new Set(suppressed.map(({ address }) => address).filter((each) => !in_charge.has(each)));
  return contacts.map((contact) => {
    const { address, in_count, out_count, auth_pass, auth_fail, last_message_id } = contact;
    const as_of = contact.inbox_ids.map((id) => counted.get(id) ?? last_message_id).sort();
    return {
      ...{ address, names: contact.names, first_seen_at: contact.first_seen_at },
      ...{ last_in_at: contact.last_in_at, last_out_at: contact.last_out_at, in: in_count, out: out_count },
      auth: { pass: auth_pass, fail: auth_fail },
      last_thread_id: threads.get(last_message_id) ?? null,
      listed: listed(address),
      suppressed: closed.has(address),
      own: own.has(address),
      known: known.has(address),
      metadata: mergedMetadata(metadata.filter((each) => each.address === address)),
      as_of: iso(timeOfId(as_of.at(-1) ?? last_message_id)),
    };
  });
}

/** Merges the notes of several places about one address. */
const mergedMetadata = (records: readonly ContactMetadataRecord[]): ContactMetadataRecord["metadata"] =>
  Object.fromEntries(records.flatMap(({ metadata }) => Object.entries(metadata)));

/** The lists of the account and of these inboxes that name an address or its domain. */
async function listsOf(
  { storage, account_id }: Reader,
  inbox_ids: readonly string[],
  keys: readonly string[],
) {
  const forms = [...new Set(keys.flatMap(entriesFor))];
  const names = new Map(
    [account_id, ...inbox_ids].flatMap((whose) =>
      LISTS.map(({ direction, type }) => [listName(whose, direction, type), `${direction}:${type}`] as const),
    ),
  );
  const [entries, allowed] = await Promise.all([
    storage.find("list_entries", {
      where: { list: { in: [...names.keys()] }, entry: { in: forms } },
      limit: names.size * forms.length,
    }),
    storage.find("allowlist", {
      where: { inbox_id: { in: [...inbox_ids] }, address: { in: forms } },
      limit: inbox_ids.length * forms.length,
    }),
  ]);
  return (address: string): z.input<typeof Contact>["listed"] => {
    const own = new Set(entriesFor(address));
    const lists = new Set<string | undefined>(
      entries.filter(({ entry }) => own.has(entry)).map(({ list }) => names.get(list)),
    );
    const tasks = allowed.some((each) => own.has(each.address)) ? (["tasks"] as const) : [];
    return [...tasks, ...NAMES.filter((name) => lists.has(name))];
  };
}

const NAMES = LISTS.map(({ direction, type }) => `${direction}:${type}` as const);

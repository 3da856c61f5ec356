import { LIMITS } from "../../catalogue/limits.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { openInboxes } from "../../kernel/inbox/find.ts";
import { findWithin } from "../../kernel/page.ts";
import { afterPlaces, placesOf } from "../../mailbox/contacts/index.ts";
import type { ContactRecord } from "../../model/contacts.ts";
import { type Folded, fold } from "./rules.ts";

type Reader = Pick<AccountContext, "storage" | "caller">;

/** Records that are read together. */
const PAGE = 200;

/** The contacts of whoever asks, in the order of their addresses, after one; those of inboxes in the trash are none. */
async function* contactsAfter(
  { storage, caller }: Reader,
  inbox_id: string | undefined,
  after: string | undefined,
): AsyncGenerator<Folded> {
  let current: Folded | undefined;
  for (let place = after === undefined ? "" : afterPlaces(after); ; ) {
    const records: ContactRecord[] = await findWithin(storage, "contacts", {
      where: { ...withinReach(caller, inbox_id), place: { gt: place } },
      order: { by: "place", direction: "asc" },
      limit: PAGE,
    });
    const open = await openInboxes(storage, records);
    for (const record of records) {
      place = record.place;
      if (!open.has(record.inbox_id)) continue;
      if (current !== undefined && current.address !== record.address) {
        yield current;
        current = undefined;
      }
      current = fold(current, record, LIMITS.contact_names);
    }
    if (records.length < PAGE) break;
  }
  if (current !== undefined) yield current;
}

/** A page of contacts that `keep` accepts; `last` is the address where the next one begins, if there may be one. */
export async function readContacts(
  ctx: Reader,
  {
    inbox_id,
    after,
    limit,
    keep,
  }: {
    inbox_id: string | undefined;
    after: string | undefined;
    limit: number;
    keep: ((contact: Folded) => boolean) | undefined;
  },
): Promise<{ contacts: Folded[]; last: string | undefined }> {
  const contacts: Folded[] = [];
  let looked = 0;
  let last: string | undefined;
  for await (const contact of contactsAfter(ctx, inbox_id, after)) {
    if (contacts.length === limit || looked === LIMITS.contacts_searched) return { contacts, last };
    looked += 1;
    last = contact.address;
    if (keep === undefined || keep(contact)) contacts.push(contact);
  }
  return { contacts, last: undefined };
}

/** One contact of whoever asks; undefined where no mail that they may read says anything of it. */
export async function readContact(
  { storage, caller }: Reader,
  inbox_id: string | undefined,
  address: string,
): Promise<Folded | undefined> {
  const records = await findWithin(storage, "contacts", {
    where: { ...withinReach(caller, inbox_id), place: placesOf(address) },
    order: { by: "place", direction: "asc" },
    limit: LIMITS.contact_inboxes,
  });
  const open = await openInboxes(storage, records);
  let found: Folded | undefined;
  for (const record of records)
    if (open.has(record.inbox_id)) found = fold(found, record, LIMITS.contact_names);
  return found;
}

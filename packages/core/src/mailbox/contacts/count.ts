import { addressAt } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { isAddressOf } from "../../model/address.ts";
import type { ContactRecord } from "../../model/contacts.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import {
  placeOf,
  placesOf,
  type Sighting,
  sightingsIn,
  withoutSighting,
  withProof,
  withSighting,
} from "./rules.ts";

/** The one job that goes over the new mail of all inboxes. */
export const JOB_ID = "job_contacts";
/** Messages that are counted in one transaction. */
const AT_ONCE = 50;
/** Messages not counted yet that are looked at for an address. */
const MAX_UNCOUNTED = 200;
/** Sort before and after the id of every message. */
const [NOTHING, EVERYTHING] = ["msg_", "msg_~"] as const;
/** The names from which the service itself writes. */
const LETTERS = ["noreply", "no-reply"];

type Counting = Pick<Services, "storage" | "options">;

/**
 * Counts the next mails of an inbox whose ids are below one, each once: how far they are counted is written with the counts.
 * Mail in the trash was mail too. Returns whether there may be more.
 */
export function countInbox(
  { storage, options }: Counting,
  inbox_id: string,
  before: string,
): Promise<boolean> {
  return storage.transaction(async (tx) => {
    const inbox = await tx.get("inboxes", inbox_id);
    if (inbox === undefined) return false;
    const cursor = await tx.get("contact_cursors", inbox_id);
    const messages = await nextMessages(
      tx,
      { inbox_id, id: { gt: cursor?.counted_to ?? NOTHING, lt: before } },
      AT_ONCE,
    );
    const last = messages.at(-1);
    if (last === undefined) return false;
    const letters = LETTERS.map((name) => addressAt({ options }, name));
    const sightings = messages
      .flatMap(sightingsIn)
      .filter(({ address }) => !letters.includes(address) && !isAddressOf(inbox.email, address));
    const known = await recordsOf(tx, inbox_id, sightings);
    const changed = new Map(known);
    for (const sighting of sightings)
      changed.set(sighting.address, withSighting(changed.get(sighting.address), sighting, inbox));
    const records = Map.groupBy(changed.values(), ({ address }) => known.has(address));
    tx.append("contacts", records.get(false) ?? []);
    await Promise.all((records.get(true) ?? []).map((record) => keep(tx, record)));
    const { account_id } = inbox;
    if (cursor === undefined) tx.append("contact_cursors", [{ inbox_id, account_id, counted_to: last.id }]);
    else await tx.update("contact_cursors", { inbox_id }, { counted_to: last.id });
    return messages.length === AT_ONCE;
  });
}

/** The message up to which all mail is counted, but for accounts that are counted anew. */
export function positionOf(job: Pick<JobRecord, "payload"> | undefined): string {
  const after = job?.payload["after"];
  return typeof after === "string" ? after : NOTHING;
}

/** The next messages by their ids, and those in the trash among them: of one inbox, of an account, or of all. */
export async function nextMessages(
  reader: Pick<StorageReader, "find">,
  where: { inbox_id?: string; account_id?: string; id: { gt: string; lt: string } },
  limit: number,
): Promise<MessageRecord[]> {
  const order = { by: "id", direction: "asc" } as const;
  const [stored, trashed] = await Promise.all([
    reader.find("messages", { where, order, limit }),
    reader.find("trash", { where, order, limit }),
  ]);
  return [...stored, ...trashed.map(({ record }) => record as MessageRecord)]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}

/** Counts a mail as authenticated that a better copy proved after it was counted. */
export async function recountProven(
  work: Pick<StorageWriter, "get" | "find" | "update">,
  message: MessageRecord,
): Promise<void> {
  const { inbox_id, id } = message;
  const { counted_to = "" } = (await work.get("contact_cursors", inbox_id)) ?? {};
  // It will be counted as it is.
  if (id > counted_to) return;
  const sightings = sightingsIn(message);
  const records = await recordsOf(work, inbox_id, sightings);
  for (const sighting of sightings) {
    const record = records.get(sighting.address);
    if (record !== undefined) await keep(work, withProof(record, sighting));
  }
}

/** Takes mails that are deleted for good out of what they were counted in: who wrote nothing else is forgotten. */
export async function uncountMessages(
  work: Pick<StorageWriter, "get" | "find" | "count" | "update" | "delete">,
  messages: readonly MessageRecord[],
): Promise<void> {
  for (const [inbox_id, here] of Map.groupBy(messages, (message) => message.inbox_id)) {
    const { counted_to = "" } = (await work.get("contact_cursors", inbox_id)) ?? {};
    const sightings = here.filter(({ id }) => id <= counted_to).flatMap(sightingsIn);
    const left = new Map<string, ContactRecord | undefined>(await recordsOf(work, inbox_id, sightings));
    for (const sighting of sightings) {
      const record = left.get(sighting.address);
      if (record !== undefined) left.set(sighting.address, withoutSighting(record, sighting));
    }
    const kept = [...left.values()].filter((record) => record !== undefined);
    await Promise.all(kept.map((record) => keep(work, record)));
    const gone = [...left.keys()].filter((address) => left.get(address) === undefined);
    if (gone.length === 0) continue;
    await work.delete("contacts", { inbox_id, place: { in: gone.map((each) => placeOf(each, inbox_id)) } });
    await forgetNoted(work, here, messages, gone);
  }
}

/**
 * Deletes what was noted of addresses that are no contacts of an inbox any more; for the account, where no inbox has
 * them. What is noted of an address stays while mail of it may not be counted yet.
 */
async function forgetNoted(
  work: Pick<StorageWriter, "get" | "find" | "count" | "delete">,
  [message]: readonly MessageRecord[],
  deleted: readonly MessageRecord[],
  addresses: readonly string[],
): Promise<void> {
  if (message === undefined) return;
  const { account_id, inbox_id } = message;
  const noted = await work.find("contact_metadata", {
    where: { account_id, address: { in: addresses }, only_inbox_id: { in: ["", inbox_id] } },
    limit: 2 * addresses.length,
  });
  if (noted.length === 0) return;
  const uncounted = await uncountedOf(work, account_id);
  if (uncounted === undefined) return;
  const ids = new Set(deleted.map(({ id }) => id));
  const staying = uncounted.filter((each) => !ids.has(each.id));
  for (const { id, address, only_inbox_id } of noted) {
    const here = staying.filter((each) => only_inbox_id === "" || each.inbox_id === only_inbox_id);
    if (here.flatMap(sightingsIn).some((sighting) => sighting.address === address)) continue;
    const elsewhere = { account_id, place: placesOf(address) };
    if (only_inbox_id === "" && (await work.count("contacts", elsewhere, 1)) > 0) continue;
    await work.delete("contact_metadata", { id });
  }
}

/** The mail of an account that isn't counted yet; undefined where it is too much, or is counted anew. */
async function uncountedOf(
  work: Pick<StorageWriter, "get" | "find" | "count">,
  account_id: string,
): Promise<MessageRecord[] | undefined> {
  if ((await work.count("jobs", { subject_id: account_id, kind: "contacts.count" }, 1)) > 0) return undefined;
  const id = { gt: positionOf(await work.get("jobs", JOB_ID)), lt: EVERYTHING };
  const found = await nextMessages(work, { account_id, id }, MAX_UNCOUNTED);
  return found.length < MAX_UNCOUNTED ? found : undefined;
}

const keep = (work: Pick<StorageWriter, "update">, record: ContactRecord): Promise<unknown> =>
  work.update("contacts", { inbox_id: record.inbox_id, place: record.place }, record);

/** Reads the counts of addresses in an inbox. */
async function recordsOf(
  reader: Pick<StorageWriter, "find">,
  inbox_id: string,
  sightings: readonly Sighting[],
): Promise<Map<string, ContactRecord>> {
  const places = [...new Set(sightings.map(({ address }) => placeOf(address, inbox_id)))];
  if (places.length === 0) return new Map();
  const where = { inbox_id, place: { in: places } };
  const records = await reader.find("contacts", { where, limit: places.length });
  return new Map(records.map((record) => [record.address, record]));
}

import { LIMITS } from "../../catalogue/limits.ts";
import { addressKey } from "../../model/address.ts";
import type { ContactRecord } from "../../model/contacts.ts";
import type { MessageRecord } from "../../model/messages.ts";

/** One mail as it concerns one address. */
export interface Sighting {
  address: string;
  direction: MessageRecord["direction"];
  /** The name that stood beside the address, where nobody else can have put it there. */
  name: string | null;
  authenticated: boolean;
  at: string;
  message_id: string;
}

/** The parts of a message that say whom it came from or went to. */
export type SightedMail = Pick<
  MessageRecord,
  "id" | "channel" | "direction" | "from" | "from_name" | "authenticated" | "labels" | "created_at"
> &
  Pick<MessageRecord, "to" | "cc" | "bcc" | "names" | "owner_copies">;

/** The form of a contact's address: one that can stand in no path of a URL is none. */
const FORM = /^[^\s@]+@[^\s@]+$/;

/**
 * The addresses that a mail came from or went to. Letters of the service to people in charge, and the copies that it adds for
 * them, are nobody's mail; texts and calls have no address.
 */
export function sightingsIn(message: SightedMail): Sighting[] {
  const { id: message_id, channel, direction, authenticated, created_at: at, labels } = message;
  if (channel !== "email") return [];
  const base = { direction, authenticated, at, message_id };
  if (direction === "inbound") {
    const name = authenticated ? message.from_name : null;
    return withAddress([{ ...base, address: addressKey(message.from), name }]);
  }
  if (labels.includes("owner")) return [];
  const added = new Set(message.owner_copies.map(addressKey));
  const names = new Map(Object.entries(message.names).map(([address, name]) => [addressKey(address), name]));
  const keys = [...new Set([...message.to, ...message.cc, ...message.bcc].map(addressKey))];
  return withAddress(
    keys
      .filter((address) => !added.has(address))
      .map((address) => ({ ...base, address, name: names.get(address) ?? null })),
  );
}

const withAddress = (sightings: Sighting[]): Sighting[] =>
  sightings.filter(({ address }) => address.length <= LIMITS.contact_address_chars && FORM.test(address));

/** The sort key of an address in an inbox among the account's records. */
export const placeOf = (address: string, inbox_id: string): string => `${address} ${inbox_id}`;

/** The places of an address, in whatever inboxes. */
export const placesOf = (address: string): { gt: string; lt: string } => ({
  gt: `${address} `,
  lt: afterPlaces(address),
});

/** A place after all those of an address, and before those of the next one. */
export const afterPlaces = (address: string): string => `${address} ~`;

/** The record of an address after one more mail, which is newer than those before. */
export function withSighting(
  before: ContactRecord | undefined,
  { address, direction, name, authenticated, at, message_id }: Sighting,
  { id: inbox_id, account_id }: { id: string; account_id: string },
): ContactRecord {
  const {
    names = [],
    first_seen_at = at,
    last_in_at = null,
    last_out_at = null,
    in_count = 0,
    out_count = 0,
    auth_pass = 0,
    auth_fail = 0,
  } = before ?? {};
  const comes = direction === "inbound";
  return {
    ...{ inbox_id, place: placeOf(address, inbox_id), account_id, address, first_seen_at },
    names: withName(names, name),
    last_in_at: comes ? at : last_in_at,
    last_out_at: comes ? last_out_at : at,
    in_count: in_count + Number(comes),
    out_count: out_count + Number(!comes),
    auth_pass: auth_pass + Number(comes && authenticated),
    auth_fail: auth_fail + Number(comes && !authenticated),
    last_message_id: message_id,
  };
}

/** The record of an address once a better copy has authenticated one of its mails, which was counted before. */
export const withProof = (
  before: ContactRecord,
  { name, message_id }: Pick<Sighting, "name" | "message_id">,
): ContactRecord => ({
  ...before,
  // Beside an older mail there may have been newer names.
  names: message_id === before.last_message_id ? withName(before.names, name) : before.names,
  auth_pass: before.auth_pass + 1,
  auth_fail: less(before.auth_fail, true),
});

/** The newest name first, each once. */
function withName(names: readonly string[], name: string | null): string[] {
  const shown = name?.trim().slice(0, LIMITS.contact_name_chars) ?? "";
  if (shown === "") return [...names];
  return [shown, ...names.filter((other) => other !== shown)].slice(0, LIMITS.contact_names);
}

/** The record of an address without a mail that was counted and is deleted for good; undefined where nothing is left. */
export function withoutSighting(
  before: ContactRecord,
  { direction, authenticated }: Pick<Sighting, "direction" | "authenticated">,
): ContactRecord | undefined {
  const { in_count, out_count, auth_pass, auth_fail } = before;
  const comes = direction === "inbound";
  const after = {
    ...before,
    in_count: less(in_count, comes),
    out_count: less(out_count, !comes),
    auth_pass: less(auth_pass, comes && authenticated),
    auth_fail: less(auth_fail, comes && !authenticated),
  };
  return after.in_count + after.out_count === 0 ? undefined : after;
}

const less = (count: number, by: boolean): number => Math.max(0, count - Number(by));

import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput, OnlyInboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { MetadataChange, mergeMetadata } from "../../kernel/input/metadata.ts";
import { operation } from "../../kernel/operation.ts";
import { cursorAt, positionOf } from "../../kernel/page.ts";
import { foldForSearch } from "../../mail/search-words.ts";
import { addressKey } from "../../model/address.ts";
import { Contact } from "../../model/contacts.ts";
import { CursorInput, iso, Limit, listOf } from "../../model/fields.ts";
import { readContact, readContacts } from "./read.ts";
import { type Folded, isAskedFor, keptFor } from "./rules.ts";
import { showContacts } from "./show.ts";

const Address = IdInput.describe("The contact's address.");
const OfInbox = OnlyInboxId.describe(
  "Only as the mail of this inbox says, with the metadata kept for it; by default all mail that the caller may read.",
);

/** The operations on contacts: whom mail came from and went to. */
export const contacts = {
  list: operation({
    summary:
      "Lists the addresses that mail came from or went to, in their order, with how much and when. A caller that is held to inboxes sees what their mail says alone.",
    when: "Find out whom an inbox deals with, or an address by a part of it or of a name.",
    example: { q: "ada" },
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["message_read"],
    input: z.object({
      q: z
        .string()
        .min(1)
        .max(LIMITS.contact_query_chars)
        .optional()
        .describe(
          `Only addresses that contain this, or one of whose names does, compared as search compares, 1 to ${LIMITS.contact_query_chars} characters. A page may then have fewer than \`limit\` although \`has_more\` is true.`,
        ),
      inbox_id: OfInbox,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Contact),
    async run(ctx, { q, inbox_id, limit, cursor }) {
      await checkInbox(ctx, inbox_id);
      const filter = { list: "contacts", ...withinReach(ctx.caller, inbox_id), q };
      const folded = q === undefined ? undefined : foldForSearch(q);
      const { contacts: found, last } = await readContacts(ctx, {
        ...{ inbox_id, limit, after: positionOf(cursor, filter) },
        keep: folded === undefined ? undefined : (contact) => isAskedFor(contact, folded),
      });
      const data = await showContacts(ctx, found, metadataOf(ctx, inbox_id));
      const next_cursor = last === undefined ? null : cursorAt(last, filter);
      return { object: "list" as const, data, has_more: last !== undefined, next_cursor };
    },
  }),

  get: operation({
    summary:
      "Shows what the mail says of an address: since when, how much, and whether it was authenticated.",
    when: "Judge who somebody is before you trust or answer them.",
    errors: ["contact_not_found"],
    scope: "filtered",
    effect: "read",
    allow: ["message_read"],
    input: z.object({ address: Address, inbox_id: OfInbox }),
    output: Contact,
    async run(ctx, { address, inbox_id }) {
      await checkInbox(ctx, inbox_id);
      return showOne(ctx, await findContact(ctx, inbox_id, address), inbox_id);
    },
  }),

  update: operation({
    summary:
      "Changes the metadata of a contact: values by key, null removes one. A caller that is held to an inbox keeps its own.",
    when: "Note something of your own about somebody, such as their id elsewhere.",
    example: { metadata: { crm_id: "c-17" } },
    errors: ["contact_not_found"],
    scope: "filtered",
    effect: "write",
    allow: ["message_update"],
    patches: true,
    input: z.object({
      address: Address,
      inbox_id: OfInbox,
      metadata: MetadataChange.describe(
        `The values to change, by key; null removes one. At most ${LIMITS.metadata_keys} keys and 16 KB of JSON.`,
      ),
    }),
    output: Contact,
    async run(ctx, { address, inbox_id, metadata }) {
      await checkInbox(ctx, inbox_id);
      const only_inbox_id = keptFor(ctx.caller.inbox_ids, inbox_id);
      const found = await findContact(ctx, inbox_id, address);
      await noteMetadata(ctx, { address: found.address, only_inbox_id }, metadata);
      return showOne(ctx, found, inbox_id);
    },
  }),
};

/** Whose metadata a caller sees: that of the named inbox, of each that it is held to, or of the account. */
const metadataOf = ({ caller }: AccountContext, inbox_id: string | undefined): readonly string[] =>
  inbox_id === undefined ? (caller.inbox_ids ?? [""]) : [inbox_id];

async function findContact(
  ctx: AccountContext,
  inbox_id: string | undefined,
  address: string,
): Promise<Folded> {
  const found = await readContact(ctx, inbox_id, addressKey(address));
  if (found === undefined) throw fail("contact_not_found", { param: "address" });
  return found;
}

async function showOne(
  ctx: AccountContext,
  contact: Folded,
  inbox_id: string | undefined,
): Promise<z.input<typeof Contact>> {
  const [shown] = await showContacts(ctx, [contact], metadataOf(ctx, inbox_id));
  return shown as z.input<typeof Contact>;
}

async function noteMetadata(
  { storage, account_id, makeId, now }: AccountContext,
  { address, only_inbox_id }: { address: string; only_inbox_id: string },
  change: z.output<typeof MetadataChange>,
): Promise<void> {
  await storage.transaction(async (tx) => {
    const where = { account_id, address, only_inbox_id };
    const [before] = await tx.find("contact_metadata", { where, limit: 1 });
    const noted = { metadata: mergeMetadata(before?.metadata ?? {}, change), updated_at: iso(now) };
    if (before !== undefined) return void (await tx.update("contact_metadata", { id: before.id }, noted));
    const inbox_id = only_inbox_id === "" ? null : only_inbox_id;
    await tx.insert("contact_metadata", { id: makeId("ent"), ...where, inbox_id, ...noted });
  });
}

import type { Services } from "../../kernel/context.ts";
import { refersToOwn } from "../../kernel/inbox/references.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { type ListDirection, type ListType, listName } from "../../model/lists.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { type EntryProof, entriesFor } from "../allowlist/rules.ts";
import { type BlockReason, firstBlocked, type ListFacts } from "./rules.ts";

type Whose = Pick<InboxRecord, "id" | "account_id">;
type Reader = Pick<StorageReader, "find">;

/** The entries of the send lists that concern these recipients of an inbox; undefined when it has no such list. */
export async function sendListFacts(
  reader: Reader,
  inbox: Whose,
  recipients: readonly string[],
): Promise<ListFacts | undefined> {
  if (!(await anyEntry(reader, inbox, ["send"]))) return undefined;
  return factsAbout(reader, inbox, "send", recipients);
}

/**
 * Looks up a mail's stated senders in the lists of an inbox; undefined when there are no lists. Replies to the
 * inbox's own mail are looked up in the `reply` lists.
 */
export function lookUpSenderLists(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  inbox: Whose,
  mail: Pick<ParsedMail, "from" | "in_reply_to" | "references">,
): SenderLists | undefined | Promise<SenderLists | undefined> {
  // Most accounts have no lists: for them this costs one index lookup.
  const read = async () => ({ any: await anyEntry(storage, inbox, ["receive", "reply"]) });
  const lists = cachedRead(`lists ${inbox.id}`, ["list_entries"], read);
  const listsIfAny = (found: { any: boolean } | undefined) =>
    found?.any === true ? readSenderLists(storage, inbox, mail) : undefined;
  return lists instanceof Promise ? lists.then(listsIfAny) : listsIfAny(lists);
}

/** The result of looking up a mail's stated senders in the lists. */
export interface SenderLists {
  direction: "receive" | "reply";
  senders: string[];
  facts: ListFacts;
}

/** The reason that a sender is blocked, in the list for new mail or in the one for replies. */
interface Blocked {
  direction: "receive" | "reply";
  reason: BlockReason;
}

/** Returns why the lists block a mail with this proof; undefined when they don't. */
export function blockedSender(lists: SenderLists | undefined, proof: EntryProof): Blocked | undefined {
  const objection = lists && firstBlocked(lists.senders, lists.facts, proof);
  return lists && objection && { direction: lists.direction, reason: objection.reason };
}

async function readSenderLists(
  storage: Reader,
  inbox: Whose,
  mail: Pick<ParsedMail, "from" | "in_reply_to" | "references">,
): Promise<SenderLists> {
  const direction = (await answersOwn(storage, inbox, mail)) ? "reply" : "receive";
  const senders = mail.from.map(({ address }) => addressKey(address));
  return { direction, senders, facts: await factsAbout(storage, inbox, direction, senders) };
}

async function anyEntry(
  reader: Reader,
  inbox: Whose,
  directions: readonly ListDirection[],
): Promise<boolean> {
  const lists = directions.flatMap((direction) => listsOf(inbox, direction));
  return (await reader.find("list_entries", { where: { list: { in: lists } }, limit: 1 })).length > 0;
}

async function factsAbout(
  reader: Reader,
  inbox: Whose,
  direction: ListDirection,
  addresses: readonly string[],
): Promise<ListFacts> {
  const lists = listsOf(inbox, direction);
  const names = [...new Set(addresses.flatMap(entriesFor))];
  const allows = (whose: string) =>
    reader.find("list_entries", { where: { list: listName(whose, direction, "allow") }, limit: 1 });
  const [ofInbox, ofAccount, entries] = await Promise.all([
    allows(inbox.id),
    allows(inbox.account_id),
    names.length === 0
      ? []
      : reader.find("list_entries", {
          where: { list: { in: lists }, entry: { in: names } },
          limit: lists.length * names.length,
        }),
  ]);
  return { inbox_allows: ofInbox.length > 0, account_allows: ofAccount.length > 0, entries };
}

function listsOf({ id, account_id }: Whose, direction: ListDirection): string[] {
  const types: ListType[] = ["allow", "block"];
  return [id, account_id].flatMap((whose) => types.map((type) => listName(whose, direction, type)));
}

async function answersOwn(
  reader: Reader,
  inbox: Whose,
  { in_reply_to, references }: Pick<ParsedMail, "in_reply_to" | "references">,
): Promise<boolean> {
  const named = [...references, in_reply_to].filter((reference) => reference !== null);
  return refersToOwn(reader, inbox.id, named);
}

import { entriesFor } from "../allowlist/index.ts";
import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { addressKey } from "../model/address.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { type ListDirection, type ListType, listName } from "../model/lists.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";
import type { StorageReader } from "../ports/storage.ts";
import { type BlockReason, firstBlocked, type ListFacts } from "./rules.ts";

type Whose = Pick<InboxRecord, "id" | "account_id">;
type Reader = Pick<StorageReader, "find">;

const MAX_REFERENCES = 100;

/** Fails with `recipient_blocked` when a list forbids the inbox to send to one of the addresses. */
export async function checkSendLists(
  reader: Reader,
  inbox: Whose,
  recipients: readonly string[],
): Promise<void> {
  if (!(await anyEntry(reader, inbox, ["send"]))) return;
  const objection = firstBlocked(recipients, await factsAbout(reader, inbox, "send", recipients));
  if (objection === undefined) return;
  throw fail("recipient_blocked", {
    param: "to",
    message: BLOCKED_MESSAGE[objection.reason](objection.address),
  });
}

const BLOCKED_MESSAGE: Record<BlockReason, (address: string) => string> = {
  block_list: (address) => `${address} is on a block list.`,
  allow_list: (address) => `${address} is not on the allow list.`,
};

/**
 * Why the lists block a mail from an inbox; undefined when they don't. Replies to the inbox's own mail are
 * checked against the `reply` lists.
 */
export function blockedSender(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  inbox: Whose,
  mail: Pick<ParsedMail, "from" | "in_reply_to" | "references">,
): Blocked | undefined | Promise<Blocked | undefined> {
  // Most accounts have no lists: for them this costs one index lookup.
  const read = async () => ({ any: await anyEntry(storage, inbox, ["receive", "reply"]) });
  const lists = cachedRead(`lists ${inbox.id}`, ["list_entries"], read);
  const blockedIfAny = (found: { any: boolean } | undefined) =>
    found?.any === true ? blockedByEntry(storage, inbox, mail) : undefined;
  return lists instanceof Promise ? lists.then(blockedIfAny) : blockedIfAny(lists);
}

/** What blocks a sender: the list for new mail, or that for replies. */
interface Blocked {
  direction: "receive" | "reply";
  reason: BlockReason;
}

async function blockedByEntry(
  storage: Reader,
  inbox: Whose,
  mail: Pick<ParsedMail, "from" | "in_reply_to" | "references">,
): Promise<Blocked | undefined> {
  const direction = (await answersOwn(storage, inbox, mail)) ? "reply" : "receive";
  const senders = mail.from.map(({ address }) => addressKey(address));
  const objection = firstBlocked(senders, await factsAbout(storage, inbox, direction, senders));
  return objection === undefined ? undefined : { direction, reason: objection.reason };
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
  const named = new Set(
    [in_reply_to, ...references.slice(-MAX_REFERENCES)].filter((reference) => reference !== null),
  );
  if (named.size === 0) return false;
  const where = { inbox_id: inbox.id, reference: { in: [...named] }, own: true };
  return (await reader.find("message_references", { where, limit: 1 })).length > 0;
}

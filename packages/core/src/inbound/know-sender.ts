import { entriesFor, isAllowlisted } from "../allowlist/rules.ts";
import type { Parts } from "../context.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import { term } from "../messages/terms.ts";

const namesakesRead = 10;

/** Who the sender is to the inbox. Owner and allowlist go by the address alone: whether it is to be believed is decided apart. */
export async function knowSender({ storage }: Pick<Parts, "storage">, inbox: InboxRecord, from: string) {
  const [[owner], entries, [known]] = await Promise.all([
    storage.find("owners", { where: { inbox_id: inbox.id, email: from }, limit: 1 }),
    storage.find("allowlist", { where: { inbox_id: inbox.id, address: { in: entriesFor(from) } }, limit: 2 }),
    storage.find("message_terms", { where: { inbox_id: inbox.id, term: { in: [`from:${from}`, `to:${from}`] } }, limit: 1 }),
  ]);
  return {
    owner: owner?.status === "verified" ? owner : undefined,
    allowlisted: isAllowlisted(entries, from),
    known: known !== undefined,
  };
}

/** The display name of a sender, when somebody with another address was authenticated under it before; else null. */
export async function borrowedName(
  { storage }: Pick<Parts, "storage">,
  inbox: InboxRecord,
  sender: { name: string; address: string },
): Promise<string | null> {
  if (sender.name === "") return null;
  const where = { inbox_id: inbox.id, term: term.name(sender.name) };
  const rows = await storage.find("message_terms", {
    where,
    order: { by: "message_id", direction: "desc" },
    limit: namesakesRead,
  });
  if (rows.length === 0) return null;
  const ids = rows.map(({ message_id }) => message_id);
  const namesakes = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return namesakes.some(({ from }) => from !== sender.address) ? sender.name : null;
}

/** Whether the inbox itself sent the mail with this Message-ID. */
export async function isOwnMessage({ storage }: Parts, inbox_id: string, reference: string): Promise<boolean> {
  const rows = await storage.find("message_references", { where: { inbox_id, reference, own: true }, limit: 1 });
  return rows.length > 0;
}

import { entriesFor, isAllowlisted } from "../allowlist/index.ts";
import type { Services } from "../kernel/context.ts";
import { term } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";

const namesakesRead = 10;

/** The address that a mail is from, as it is stored; empty when it has none. */
export const addressOf = ({ from: [author] }: Pick<ParsedMail, "from">): string =>
  (author?.address ?? "").toLowerCase();

/** What is known of a mail's author, before anybody has said whether it is to be believed. */
export type Author = Awaited<ReturnType<typeof lookUpAuthor>>;

/** Who a mail says to be from, and whether the inbox itself sent it; read in one go. */
export async function lookUpAuthor(
  services: Pick<Services, "storage">,
  inbox: InboxRecord,
  mail: Pick<ParsedMail, "from" | "message_id">,
) {
  const [sender, own_message] = await Promise.all([
    lookUpSender(services, inbox, addressOf(mail)),
    mail.message_id !== null && isOwnMessage(services, inbox.id, mail.message_id),
  ]);
  return { ...sender, own_message };
}

/**
 * Who the sender is to the inbox. Owner and allowlist go by the address alone: whether it is to be believed
 * is decided apart.
 */
export async function lookUpSender({ storage }: Pick<Services, "storage">, inbox: InboxRecord, from: string) {
  const [[owner], entries, [known]] = await Promise.all([
    storage.find("owners", { where: { inbox_id: inbox.id, email: from }, limit: 1 }),
    storage.find("allowlist", { where: { inbox_id: inbox.id, address: { in: entriesFor(from) } }, limit: 2 }),
    storage.find("message_terms", {
      where: { inbox_id: inbox.id, term: { in: [`from:${from}`, `to:${from}`] } },
      limit: 1,
    }),
  ]);
  return {
    owner: owner?.status === "verified" ? owner : undefined,
    allowlisted: isAllowlisted(entries, from),
    known: known !== undefined,
  };
}

/**
 * The display name of a sender, when somebody with another address was authenticated under it before; else
 * null.
 */
export async function borrowedName(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  mail: Pick<ParsedMail, "from">,
): Promise<string | null> {
  const name = mail.from[0]?.name ?? "";
  if (name === "") return null;
  const where = { inbox_id: inbox.id, term: term.name(name) };
  const rows = await storage.find("message_terms", {
    where,
    order: { by: "message_id", direction: "desc" },
    limit: namesakesRead,
  });
  if (rows.length === 0) return null;
  const ids = rows.map(({ message_id }) => message_id);
  const namesakes = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return namesakes.some(({ from }) => from !== addressOf(mail)) ? name : null;
}

async function isOwnMessage(
  { storage }: Pick<Services, "storage">,
  inbox_id: string,
  reference: string,
): Promise<boolean> {
  const rows = await storage.find("message_references", {
    where: { inbox_id, reference, own: true },
    limit: 1,
  });
  return rows.length > 0;
}

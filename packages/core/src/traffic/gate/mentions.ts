import { hash } from "node:crypto";
import { LIMITS } from "../../catalogue/limits.ts";
import { subAccountsOf } from "../../kernel/access/root-account.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { organisationOf } from "../../mail/screening/signals/hosts.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { addressKey } from "../../model/address.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { looksAtMail } from "../../model/outbound.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { MailAddress, ParsedMail } from "../../model/parsed-mail.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { blockMention, carriedBy, openedMention } from "./carried.ts";

/** Inboxes that are read at once, to find one that looks at its mail. */
const PAGE = 1_000;

/** Hashes that are looked up at once, and the records that are read of them. */
const AT_ONCE = 500;
const MAX_READ = 2_000;
/** Notes that are read of each mention at least, where there are more of them than are read at once. */
const MIN_READ = 100;

/** Words that came from outside: of a stranger all of them, of somebody who is trusted what they quote and attach. */
export interface OutsideWords {
  plain: string[];
  markup: string[];
  /** The texts whose runs of words must not get to others. */
  runs: string[];
}

/** The outside words of a mail. `trusted`: a person in charge, or one whom they vouch for, is proven to have written it. */
export function outsideWordsOf(
  mail: Pick<
    ParsedMail,
    "from" | "sender" | "reply_to" | "to" | "cc" | "subject" | "text" | "html" | "attachments"
  > & {
    extraction: { extracted_text: string };
  },
  trusted: boolean,
): OutsideWords {
  const files = mail.attachments.map(({ filename }) => filename);
  if (trusted) {
    const quoted = quotedIn(mail.text, mail.extraction.extracted_text);
    return { plain: [...files, quoted], markup: [], runs: [quoted] };
  }
  const named = [...mail.from, mail.sender, ...mail.reply_to, ...mail.to, ...mail.cc].filter(
    (each): each is MailAddress => each !== null,
  );
  const headers = named.map(({ address, name }) => `${name} <${address}>`).join("\n");
  return {
    plain: [mail.subject, headers, mail.text, ...files],
    markup: mail.html === null ? [] : [mail.html],
    runs: [mail.text],
  };
}

/** The lines of a mail that aren't its new text: what it quotes and forwards. */
function quotedIn(text: string, extracted: string): string {
  const own = new Set(extracted.split("\n").map((line) => line.trim()));
  return text
    .split("\n")
    .filter((line) => !own.has(line.trim()))
    .join("\n");
}

/** Whether what strangers name is noted: some inbox of the account, or of its workspaces, looks at what it sends. */
export async function notesMentions(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  inbox: InboxRecord,
): Promise<boolean> {
  if (looksAtMail(inbox)) return true;
  const { account_id } = inbox;
  const found = await cachedRead(`looks ${account_id}`, ["inboxes", "workspaces"], async () => ({
    any: await someLooks(storage, [account_id, ...(await subAccountsOf(storage, account_id))]),
  }));
  return found?.any === true;
}

/** Whether some inbox of these accounts looks at what it sends. */
async function someLooks(storage: StorageReader, accounts: string[]): Promise<boolean> {
  for (let after = ""; ; ) {
    const inboxes = await storage.find("inboxes", {
      where: { account_id: { in: accounts }, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    if (inboxes.some(looksAtMail)) return true;
    const last = inboxes.at(-1);
    if (last === undefined || inboxes.length < PAGE) return false;
    after = last.id;
  }
}

/**
 * What outside words name, with the codes, links, files and runs of words that came, as hashes; the inbox itself and
 * the service's domain are named by every mail.
 */
export async function mentionHashes(
  { options, contentWorker }: Pick<Services, "options" | "contentWorker">,
  { account_id, email }: Pick<InboxRecord, "account_id" | "email">,
  { plain, markup, runs }: OutsideWords,
  came: Came = NOTHING_CAME,
): Promise<string[]> {
  const { subject, text, html, attachments } = came;
  const words = { subject, text, html, plain, markup, runs };
  const found = await workOnContent(contentWorker, "namedInMail", words);
  const carried = carriedBy(attachments, found);
  const named = new Set(found.mentions);
  named.delete(`a:${addressKey(email)}`);
  named.delete(`d:${organisationOf(domainOf(options.mailDomain))}`);
  return [...new Set([...carried, ...named, ...found.blocks.map(blockMention)])]
    .slice(0, LIMITS.outside_mentions_per_mail)
    .map((each) => mentionHash(account_id, each));
}

interface Came {
  subject: string;
  text: string;
  html: string | null;
  attachments: readonly StoredAttachment[];
}
const NOTHING_CAME: Came = { subject: "", text: "", html: null, attachments: [] };

/** The same of a text message, or of what somebody said in a call. */
export async function hashesOfWords(
  services: Pick<Services, "storage" | "cachedRead" | "options" | "contentWorker">,
  inbox: InboxRecord,
  { theirs, text }: { theirs: string; text: string },
): Promise<string[]> {
  if (!(await notesMentions(services, inbox))) return [];
  const words = { plain: [theirs, text], markup: [], runs: [text] };
  return mentionHashes(services, inbox, words, { ...NOTHING_CAME, text });
}

/** Notes what the text of a file that came in names and says, once for each message that has it. */
export async function noteFileText(
  services: Pick<Services, "storage" | "cachedRead" | "options" | "contentWorker" | "log">,
  inbox: InboxRecord,
  message: { id: string; created_at: string },
  file_hash: string,
  text: string,
): Promise<void> {
  if (!(await notesMentions(services, inbox))) return;
  await noteOfFile(services, await mentionsOfFile(services, inbox, message, file_hash, text));
}

/** The records of what the text of a file names and says; the first one says that the file was read. */
export async function mentionsOfFile(
  services: Pick<Services, "options" | "contentWorker">,
  inbox: Pick<InboxRecord, "id" | "account_id" | "email">,
  { id: message_id, created_at }: { id: string; created_at: string },
  file_hash: string,
  text: string,
): Promise<OutsideMentionRecord[]> {
  const words = { plain: [text], markup: [], runs: [text] };
  const mark = mentionHash(inbox.account_id, openedMention(file_hash));
  const hashes = [mark, ...(await mentionHashes(services, inbox, words))];
  return mentionRecords([...new Set(hashes)], inbox, message_id, new Date(created_at));
}

/** Writes the records of a file's text, unless another call has done so. */
export async function noteOfFile(
  { storage, log }: Pick<Services, "storage" | "log">,
  records: readonly OutsideMentionRecord[],
): Promise<void> {
  const [mark] = records;
  if (mark === undefined) return;
  const { account_id, message_id } = mark;
  const noting = storage.transaction(async (tx) => {
    const where = { account_id, hash: { in: records.map((each) => each.hash) }, message_id };
    const known = await tx.find("outside_mentions", { where, limit: records.length });
    const noted = new Set(known.map((each) => each.hash));
    if (noted.has(mark.hash)) return;
    const fresh = records.filter((each) => !noted.has(each.hash));
    tx.append("outside_mentions", fresh);
  });
  // Another call may have noted the same at the same time.
  await noting.catch((error: unknown) => log.info({ error }, "a file's text was not noted"));
}

/** The hash of a mention: nobody can tell from it whether two accounts were told of the same address. */
export const mentionHash = (account_id: string, mention: string): string =>
  hash("sha256", `${account_id}\n${mention}`, "base64url").slice(0, 22);

/** What of the last 30 days is noted under hashes; of one that very many mails have, as much as is read at once. */
export async function readMentions(
  { storage, inbox, now }: { storage: StorageReader; inbox: Pick<InboxRecord, "account_id">; now: Date },
  hashes: readonly string[],
): Promise<OutsideMentionRecord[]> {
  const since = iso(new Date(now.getTime() - LIMITS.outside_mentions_kept_ms));
  const read = async (some: readonly string[], limit = MAX_READ): Promise<OutsideMentionRecord[]> => {
    if (some.length === 0) return [];
    const where = { account_id: inbox.account_id, hash: { in: some }, at: { gte: since } };
    const rows = await storage.find("outside_mentions", { where, limit });
    if (rows.length < limit || some.length === 1) return rows;
    // Many mails with one mention must not keep those of others from being read, nor be read for each of them.
    const half = Math.ceil(some.length / 2);
    const each = Math.max(MIN_READ, Math.ceil(limit / 2));
    return [...(await read(some.slice(0, half), each)), ...(await read(some.slice(half), each))];
  };
  const chunks = Array.from({ length: Math.ceil(hashes.length / AT_ONCE) }, (_, nth) =>
    hashes.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  );
  const all: OutsideMentionRecord[] = [];
  for (const chunk of chunks) all.push(...(await read(chunk)));
  return all;
}

/** The inbox as one of each account whose mail is evidence: its own and, in a workspace, the parent. */
export async function evidenceAccounts<I extends Pick<InboxRecord, "account_id">>(
  storage: Pick<StorageReader, "get">,
  inbox: I,
): Promise<I[]> {
  const parent = (await storage.get("accounts", inbox.account_id))?.parent_account_id ?? null;
  return parent === null ? [inbox] : [inbox, { ...inbox, account_id: parent }];
}

/** The records of what a message names; by the first of them the sweep finds all. */
export const mentionRecords = (
  hashes: readonly string[],
  { account_id, id: inbox_id }: Pick<InboxRecord, "account_id" | "id">,
  message_id: string,
  now: Date,
): OutsideMentionRecord[] =>
  hashes.map((each, nth) => ({
    ...{ account_id, inbox_id, hash: each, message_id, at: iso(now) },
    ...(nth === 0 ? { noted_at: iso(now), noted: hashes.slice(1) } : { noted_at: null, noted: null }),
  }));

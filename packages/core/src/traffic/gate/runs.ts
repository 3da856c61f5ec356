import type { Services } from "../../kernel/context.ts";
import type { RunSource } from "../../mail/mentions/word-runs.ts";
import { domainOf, FREE_MAIL, organisationOf } from "../../mail/screening/signals/hosts.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { blockMention } from "./carried.ts";
import { type Elsewhere, mailOf, type RecipientFacts } from "./findings.ts";
import type { Sender } from "./leaving.ts";
import { mentionHash } from "./mentions.ts";

/** Mails whose words are compared, and further ones whose words count as they were noted, those with the most first. */
const MAX_SOURCES = 100;
/** Mails with the same words that are compared, so that it shows who has them and how common they are. */
const MAX_OF_ONE_BLOCK = 12;

/** The words that leave, by the hashes under which they would be noted. */
export interface LeavingWords {
  texts: readonly string[];
  blocks: ReadonlyMap<string, string>;
}

/** Reads the words of what is to leave, by blocks; `accounts`: those whose mail is evidence. */
export async function wordsLeaving(
  { contentWorker }: Pick<Services, "contentWorker">,
  { texts, html }: { texts: readonly string[]; html: string | null },
  accounts: readonly InboxRecord[],
): Promise<LeavingWords> {
  const leaving = await workOnContent(contentWorker, "wordsToLeave", { texts, html });
  const blocks = new Map(
    accounts.flatMap(({ account_id }) =>
      leaving.blocks.map((block) => [mentionHash(account_id, blockMention(block)), block] as const),
    ),
  );
  return { texts: leaving.texts, blocks };
}

/** The mails whose words would get to somebody who has none of them, with how the words begin. */
export async function wordsElsewhere(
  sender: Sender & Pick<Services, "contentWorker">,
  { texts, blocks }: LeavingWords,
  mentions: readonly OutsideMentionRecord[],
  recipients: readonly RecipientFacts[],
): Promise<Elsewhere[]> {
  const strangers = recipients.filter(({ own }) => !own).map(({ address }) => addressKey(address));
  const rows = mentions.filter(({ hash }) => blocks.has(hash));
  if (strangers.length === 0 || rows.length === 0) return [];
  const { contentWorker, inbox } = sender;
  const sources = await sourcesOf(sender, rows, blocks, strangers);
  const found = await workOnContent(contentWorker, "runsElsewhere", {
    texts,
    sources: sources.map(({ source }) => source),
    recipients: strangers.length,
  });
  return found.flatMap(({ source, begins }) => {
    const from = sources[source];
    return from === undefined
      ? []
      : [{ kind: "text" as const, name: `“${begins} …”`, ...mailOf(inbox, from) }];
  });
}

interface Source {
  source: RunSource;
  account_id: string;
  message_id: string;
  inbox_id: string;
}

interface Stored {
  message: MessageRecord;
  body: MessageBodyRecord | undefined;
}

async function sourcesOf(
  sender: Sender,
  rows: readonly OutsideMentionRecord[],
  blocks: ReadonlyMap<string, string>,
  strangers: readonly string[],
): Promise<Source[]> {
  const byMessage = Map.groupBy(rows, ({ message_id }) => message_id);
  const chosen = chooseMessages(rows);
  const isChosen = new Set(chosen);
  const stored = await storedOf(sender.storage, chosen);
  const further = [...byMessage]
    .filter(([id]) => !isChosen.has(id))
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_SOURCES);
  const compared = [...chosen.map((id) => [id, byMessage.get(id) ?? []] as const), ...further];
  const came = compared.map(([message_id, noted]): Source => {
    const here = stored.get(message_id);
    const [{ at, inbox_id, account_id } = { at: "", inbox_id: "", account_id: "" }] = noted;
    const noted_blocks = noted.flatMap(({ hash }) => blocks.get(hash) ?? []);
    const source = { ...sourceOf(sender.inbox, here, strangers), at, blocks: noted_blocks };
    return { source, account_id, message_id, inbox_id };
  });
  return [...came, ...(await ownBefore(sender, [...stored.values()], strangers))];
}

/** Mails by which every block is accounted for, and some more of those that share one. */
function chooseMessages(rows: readonly OutsideMentionRecord[]): string[] {
  const chosen = new Set<string>();
  const byHash = [...Map.groupBy(rows, ({ hash }) => hash).values()].map((each) =>
    each.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  );
  for (let nth = 0; nth < MAX_OF_ONE_BLOCK; nth++)
    for (const noted of byHash) {
      if (chosen.size >= MAX_SOURCES) return [...chosen];
      const next = noted[nth];
      if (next !== undefined) chosen.add(next.message_id);
    }
  return [...chosen];
}

/** Messages with their bodies, also from the trash; those that are gone are left out. */
async function storedOf(storage: StorageReader, ids: readonly string[]): Promise<Map<string, Stored>> {
  const limit = ids.length;
  const [messages, bodies] = await Promise.all([
    storage.find("messages", { where: { id: { in: ids } }, limit }),
    storage.find("message_bodies", { where: { message_id: { in: ids } }, limit }),
  ]);
  const body_of = new Map(bodies.map((body) => [body.message_id, body]));
  const stored = new Map(
    messages.map((message) => [message.id, { message, body: body_of.get(message.id) } satisfies Stored]),
  );
  const missing = ids.filter((id) => !stored.has(id));
  if (missing.length === 0) return stored;
  const trashed = await storage.find("trash", { where: { id: { in: missing } }, limit });
  for (const { id, record, body } of trashed)
    stored.set(id, {
      message: record as MessageRecord,
      body: (body ?? undefined) as MessageBodyRecord | undefined,
    });
  return stored;
}

function sourceOf(
  inbox: InboxRecord,
  stored: Stored | undefined,
  strangers: readonly string[],
): Omit<RunSource, "at" | "blocks"> {
  if (stored === undefined) return { texts: null, html: null, own: false, organisation: null, had_by: [] };
  const { message, body } = stored;
  const { from, to, cc, bcc, authenticated } = message;
  const on = new Set([from, ...to, ...cc, ...bcc].map(addressKey));
  const author = addressKey(from);
  const origin = body?.decisions?.origin;
  const organisation = organisationOf(domainOf(author));
  const from_outside = authenticated && (origin === "smtp" || origin === "internal_path");
  return {
    texts: body === undefined ? null : [body.text ?? message.extracted_text],
    html: body?.html ?? null,
    own: author === addressKey(inbox.email) && (message.direction === "outbound" || origin === "internal"),
    organisation: from_outside && !FREE_MAIL.has(organisation) ? organisation : null,
    had_by: strangers.flatMap((address, nth) => (on.has(address) ? [nth] : [])),
  };
}

/** Reads the sending inbox's own mail in the conversations of these mails. */
async function ownBefore(
  { storage, inbox }: Sender,
  stored: readonly Stored[],
  strangers: readonly string[],
): Promise<Source[]> {
  const threads = [...new Set(stored.map(({ message }) => message.thread_id))];
  if (threads.length === 0) return [];
  const messages = await storage.find("messages", {
    where: { thread_id: { in: threads }, direction: "outbound" },
    order: { by: "id", direction: "asc" },
    limit: MAX_SOURCES,
  });
  const ids = messages.map(({ id }) => id);
  const own = ids.length === 0 ? new Map<string, Stored>() : await storedOf(storage, ids);
  return [...own.values()].map((each) => ({
    source: { ...sourceOf(inbox, each, strangers), at: each.message.created_at, blocks: [] },
    ...{ account_id: inbox.account_id, message_id: each.message.id, inbox_id: each.message.inbox_id },
  }));
}

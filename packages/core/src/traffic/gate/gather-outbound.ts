import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { findReferenced } from "../../kernel/inbox/references.ts";
import { mentionsOf } from "../../mail/mentions/mentions.ts";
import { MAX_RUN_CHARS } from "../../mail/mentions/run-limit.ts";
import { FREE_MAIL, organisationOf } from "../../mail/screening/signals/hosts.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { entriesFor } from "../../mailbox/allowlist/index.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { listName } from "../../model/lists.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { isLooserOutbound, looksAtMail } from "../../model/outbound.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import type { AuthorityRecord } from "../../model/people.ts";
import type { ContentFinding, ContentScan } from "../../ports/content-scanner.ts";
import { carriedOut, elsewhereOf } from "./elsewhere.ts";
import { type FileTexts, textsOfLeaving } from "./file-texts.ts";
import { type Mention, mailOf, type OutboundFacts, type RecipientFacts } from "./findings.ts";
import type { Leaving, Sender } from "./leaving.ts";
import { type LookedThrough, lookThrough } from "./look-through.ts";
import { evidenceAccounts, mentionHash, readMentions } from "./mentions.ts";
import { type LeavingWords, wordsElsewhere, wordsLeaving } from "./runs.ts";
import { findUnreadFiles, openUnreadFiles, type Sight, type UnreadFiles } from "./unread-files.ts";

/** Messages of a thread that are looked at for words of strangers. */
const MAX_THREAD_MESSAGES = 200;

/** What is looked at, and what strangers' files say that nobody has read before. */
interface GatheredOutbound {
  facts: OutboundFacts;
  unread: UnreadFiles;
}

/**
 * Reads the facts by which something is looked at, and writes nothing; undefined, and nothing is read, where the inbox
 * looks at nothing. What needs no answer of another read is asked for at once, together with `gather`'s, so that a
 * remote storage is asked once more than without.
 */
export async function gatherOutbound(
  sender: Sender & Reading,
  leaving: Leaving,
  looking: Promise<LookedThrough>,
  sight: Sight,
): Promise<GatheredOutbound | undefined> {
  const { storage, inbox, now } = sender;
  if (!looksAtMail(inbox)) return undefined;
  const named = namedIn(leaving);
  const keys = named.map(({ address }) => addressKey(address));
  const { account_id } = inbox;
  const in_charge = inCharge(sender);
  const [evidence, hidden, known, own, freer, { answered, outside }] = await Promise.all([
    gatherEvidence(sender, leaving, looking, { keys, sight }),
    hiddenIn(sender, leaving),
    storage.find("recipients", { where: { account_id, address: { in: keys } }, limit: keys.length }),
    ownPeople(sender, keys, in_charge),
    insideInboxes(sender, keys),
    conversationOf(sender, leaving, in_charge),
    in_charge,
  ]);
  const { mentions, hashes, carried, words, content, unread } = evidence;
  const byKey = new Map(known.map((each) => [each.address, each]));
  const recipients = named.map(({ address, param }): RecipientFacts => {
    const key = addressKey(address);
    const record = byKey.get(key);
    const remembered = record?.approved_at != null && record.inbox_id === inbox.id;
    return {
      ...{ address, param },
      own: own.has(key) || remembered || freer.get(key) === false,
      left_at: record?.left_at ?? null,
      mention: earliest(
        inbox,
        mentions.filter(({ hash }) => hashes.get(hash)?.includes(key) === true),
      ),
      answered: answered !== undefined && answers(answered, key),
      unproven: answered !== undefined && !answered.authenticated && authorsOf(answered).includes(key),
    };
  });
  const outside_thread = outside && recipients.some((each) => !each.own);
  const elsewhere = await Promise.all([
    elsewhereOf(sender, carried, mentions, recipients),
    words === undefined ? [] : wordsElsewhere(sender, words, mentions, recipients),
  ]);
  const policies = inbox.effective_outbound;
  const facts = { policies, recipients, outside_thread, elsewhere: elsewhere.flat(), content, hidden, now };
  return { facts, unread };
}

interface Evidence {
  /** What is noted of what leaves, as far as the caller may read it. */
  mentions: OutsideMentionRecord[];
  /** The recipients by the hashes that stand for them. */
  hashes: ReadonlyMap<string, string[]>;
  carried: ReturnType<typeof carriedOut>;
  /** The words that leave; undefined where nothing of the kind is looked for. */
  words: LeavingWords | undefined;
  content: ContentScan;
  unread: UnreadFiles;
}

/** Looks up, in one read, all that strangers' mail may have to do with what leaves. */
async function gatherEvidence(
  sender: Sender & Reading,
  leaving: Leaving,
  looking: Promise<LookedThrough>,
  { keys, sight }: { keys: readonly string[]; sight: Sight },
): Promise<Evidence> {
  const { untrusted, content: of_content } = sender.inbox.effective_outbound;
  const accounts = evidenceAccounts(sender.storage, sender.inbox);
  const finding = untrusted === "off" ? Promise.resolve([]) : findUnreadFiles(sender, accounts, sight);
  const [unread, { scan, noted, ...evidence }] = await Promise.all([
    finding.then((found) => openUnreadFiles(sender, found, sight)),
    notedOf(sender, leaving, looking, { keys, evidence_of: accounts, finding }),
  ]);
  const { hashes, carried, words } = evidence;
  const isAsked = ({ hash }: OutsideMentionRecord): boolean =>
    hashes.has(hash) || carried.has(hash) || words?.blocks.has(hash) === true;
  const mentions = await sight.readable([...noted, ...unread.mentions.filter(isAsked)]);
  const scanned = of_content !== "off" && sender.contentScanner !== undefined;
  const unscanned = scanned ? [...scan.unscanned, ...unread.unopened] : scan.unscanned;
  return { ...evidence, mentions, content: { ...scan, unscanned }, unread };
}

/** What is noted of what leaves, and what its content shows. */
async function notedOf(
  sender: Sender & Reading,
  leaving: Leaving,
  looking: Promise<LookedThrough>,
  {
    keys,
    evidence_of,
    finding,
  }: { keys: readonly string[]; evidence_of: Promise<InboxRecord[]>; finding: Promise<unknown> },
): Promise<
  Pick<Evidence, "hashes" | "carried" | "words"> & { noted: OutsideMentionRecord[]; scan: ContentScan }
> {
  const { storage, inbox, now } = sender;
  const { untrusted, content } = inbox.effective_outbound;
  const none = untrusted === "off" && content === "off";
  const [accounts, { upload_hashes, files }] = await Promise.all([
    evidence_of,
    looking.then(async (seen) => ({
      upload_hashes: seen.hashes,
      files: none ? NO_FILES : await textsOfLeaving(sender, leaving, seen.files),
    })),
  ]);
  const hashes = new Map(accounts.flatMap((of) => [...mentionsByHash(of, keys)]));
  const texts = files.parts.map(({ text }) => text);
  const carried = new Map(accounts.flatMap((of) => [...carriedOut(of, leaving, upload_hashes, texts)]));
  const read = async () => {
    const words =
      untrusted === "off" ? undefined : await wordsLeaving(sender, wordsOf(leaving, texts), accounts);
    const asked = [...hashes.keys(), ...carried.keys(), ...(words?.blocks.keys() ?? [])];
    // What another call notes of unread files meanwhile is in what is read after they were found, or they are opened.
    await finding;
    const noted = await Promise.all(accounts.map((of) => readMentions({ storage, inbox: of, now }, asked)));
    return { words, noted: noted.flat() };
  };
  const [{ words, noted }, scan] = await Promise.all([
    read(),
    scanOf(sender, leaving, { ...files, unopened: [...files.unopened, ...beyondBounds(leaving)] }),
  ]);
  return { hashes, carried, words, noted, scan };
}

type Reading = Pick<
  Services,
  "contentScanner" | "contentWorker" | "cachedRead" | "blobs" | "storage" | "yieldToEventLoop"
> &
  Pick<Services, "textExtraction" | "clock" | "log">;

const NO_FILES: FileTexts = { parts: [], unopened: [] };

/** The bodies that are longer than what is compared with others. */
const beyondBounds = ({ text, html }: Leaving): string[] => [
  ...((text?.length ?? 0) > MAX_RUN_CHARS ? ["text"] : []),
  ...((html?.length ?? 0) > MAX_RUN_CHARS ? ["html"] : []),
];

const wordsOf = ({ subject = "", text, html }: Leaving, of_files: readonly string[]) => ({
  texts: [subject, text ?? "", ...of_files],
  html: html ?? null,
});

/** Returns the parts of a mail that not every reader would see. */
async function hiddenIn(
  { inbox, contentWorker }: Sender & Pick<Services, "contentWorker">,
  { way, text, html }: Leaving,
): Promise<string[]> {
  if (way !== "mail" || inbox.effective_outbound.content === "off") return [];
  return workOnContent(contentWorker, "hiddenContent", {
    text: text ?? null,
    html: html == null ? null : html.slice(0, LIMITS.approved_html_chars),
  });
}

/** Scans the words of something that is to leave, but for those that a person said to remember. */
async function scanOf(
  sender: Sender & Pick<Services, "contentScanner">,
  leaving: Leaving,
  files: FileTexts,
): Promise<ContentScan> {
  if (sender.inbox.effective_outbound.content === "off") return NOTHING;
  const scan = await scanWhole(sender, leaving, files);
  const found = [...new Set(scan.findings.filter(isRememberable).map(({ fingerprint }) => fingerprint))];
  if (found.length === 0) return scan;
  const remembered = await sender.storage.find("remembered_values", {
    where: { inbox_id: sender.inbox.id, fingerprint: { in: found } },
    limit: found.length,
  });
  const known = new Set(remembered.map(({ fingerprint }) => fingerprint));
  const findings = scan.findings.filter((each) => !isRememberable(each) || !known.has(each.fingerprint));
  return { ...scan, findings };
}

/** The fingerprints of the values in something that is to leave which a person may have remembered. */
export async function rememberableIn(sender: Sender & Reading, leaving: Leaving): Promise<string[]> {
  const { files } = await lookThrough(sender, leaving);
  const { findings } = await scanWhole(sender, leaving, await textsOfLeaving(sender, leaving, files));
  return [...new Set(findings.filter(isRememberable).map(({ fingerprint }) => fingerprint))];
}

/** Bank account numbers are written to the same people again and again; what else is personal is asked about anew. */
const isRememberable = ({ kind }: ContentFinding): boolean => kind === "iban";

/** Scans the words of what is to leave, and of its files. */
async function scanWhole(
  { contentScanner }: Pick<Services, "contentScanner">,
  { subject = "", text, html }: Leaving,
  { parts: files, unopened }: FileTexts,
): Promise<ContentScan> {
  if (contentScanner === undefined) return NOTHING;
  const bodies = { subject, text: text ?? "", html: html ?? "" };
  const parts = [...Object.entries(bodies).map(([name, words]) => ({ name, text: words })), ...files].filter(
    (part) => part.text !== "",
  );
  const { findings, unscanned } = parts.length === 0 ? NOTHING : await contentScanner.scan(parts);
  return { findings, unscanned: [...unscanned, ...unopened] };
}

const NOTHING: ContentScan = { findings: [], unscanned: [] };

function namedIn({ to, cc, bcc, reply_to }: Leaving): { address: string; param: RecipientFacts["param"] }[] {
  const fields = [
    ["to", to],
    ["cc", cc],
    ["bcc", bcc],
    ["reply_to", reply_to == null ? [] : [reply_to]],
  ] as const;
  const seen = new Set<string>();
  return fields.flatMap(([param, addresses]) =>
    addresses.flatMap((address) => {
      const key = addressKey(address);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ address, param }];
    }),
  );
}

/** Which recipients each hash stands for: an address, or its organisation's domain. */
export function mentionsByHash(
  { account_id }: Pick<InboxRecord, "account_id">,
  keys: readonly string[],
): Map<string, string[]> {
  const byHash = new Map<string, string[]>();
  for (const key of keys) {
    const { exact, domain } = mentionsOf(key);
    for (const mention of domain === undefined ? [exact] : [exact, domain]) {
      const hash = mentionHash(account_id, mention);
      byHash.set(hash, [...(byHash.get(hash) ?? []), key]);
    }
  }
  return byHash;
}

function earliest(inbox: InboxRecord, mentions: readonly OutsideMentionRecord[]): Mention | undefined {
  const [first] = [...mentions].sort((one, other) => (one.at < other.at ? -1 : 1));
  return first && { first_at: first.at, ...mailOf(inbox, first) };
}

/** The authorities over the inbox. */
const inCharge = ({ storage, inbox, options }: Sender): Promise<AuthorityRecord[]> =>
  authoritiesOver({ options }, storage, { account_id: inbox.account_id, inbox_id: inbox.id });

/** The recipients who are in charge of the inbox, or whom one of those vouches for by an entry. */
async function ownPeople(
  sender: Sender,
  keys: readonly string[],
  in_charge: Promise<AuthorityRecord[]>,
): Promise<Set<string>> {
  const { storage, inbox } = sender;
  const { id: inbox_id, account_id } = inbox;
  const forms = [...new Set(keys.flatMap(entriesFor))];
  if (forms.length === 0) return new Set();
  const list = { in: [listName(inbox_id, "send", "allow"), listName(account_id, "send", "allow")] };
  const [owners, authorities, trusted, allowed] = await Promise.all([
    storage.find("owners", { where: { inbox_id, email: { in: [...keys] } }, limit: keys.length }),
    in_charge,
    storage.find("allowlist", { where: { inbox_id, address: { in: forms } }, limit: forms.length }),
    storage.find("list_entries", { where: { list, entry: { in: forms } }, limit: 2 * forms.length }),
  ]);
  const people = new Set([
    ...owners.filter(({ status }) => status === "verified").map(({ email }) => email),
    ...authorities.map(({ email }) => email),
  ]);
  const vouched = new Set([
    ...trusted.filter(({ made_by }) => made_by === "person").map(({ address }) => address),
    ...allowed.filter(({ made_by }) => made_by === "person").map(({ entry }) => entry),
  ]);
  return new Set(keys.filter((key) => people.has(key) || entriesFor(key).some((form) => vouched.has(form))));
}

/** The recipients that are inboxes of the same account, and whether mail may leave them more freely. */
async function insideInboxes({ storage, inbox, options }: Sender, keys: readonly string[]) {
  const ours = keys.filter(
    (key) => key.endsWith(`@${domainOf(options.mailDomain)}`) || key.endsWith(`@${inbox.domain}`),
  );
  const freer = new Map<string, boolean>();
  await Promise.all(
    ours.map(async (address) => {
      const [, other] = await storage.follow("addresses", address, [["inbox_id", "inboxes"]]);
      if (other?.account_id === inbox.account_id) freer.set(address, isLooserOutbound(inbox, other));
    }),
  );
  return freer;
}

/** The mail that this answers, if it is here and came in, and whether its conversation holds outside words. */
async function conversationOf(
  sender: Sender,
  { in_reply_to, thread_id }: Leaving,
  in_charge: Promise<AuthorityRecord[]>,
): Promise<{ answered: MessageRecord | undefined; outside: boolean }> {
  const { storage, inbox } = sender;
  const named = thread_id ?? null;
  const [answered, outside] = await Promise.all([
    in_reply_to == null ? undefined : answeredBy(storage, inbox, in_reply_to),
    named === null ? undefined : holdsOutsideWords(sender, named, in_charge),
  ]);
  const thread = named ?? answered?.thread_id ?? null;
  if (outside !== undefined || thread === null) return { answered, outside: outside === true };
  return { answered, outside: await holdsOutsideWords(sender, thread, in_charge) };
}

async function answeredBy(
  storage: Sender["storage"],
  inbox: InboxRecord,
  in_reply_to: string,
): Promise<MessageRecord | undefined> {
  const [row] = await findReferenced(storage, inbox.id, [in_reply_to]);
  const message = row === undefined ? undefined : await storage.get("messages", row.message_id);
  return message?.direction === "inbound" ? message : undefined;
}

const authorsOf = ({ from, reply_to, more_reply_to }: MessageRecord): string[] =>
  [from, reply_to ?? "", ...more_reply_to].filter((address) => address !== "").map(addressKey);

/**
 * Whether a recipient counts as known in an answer to a mail: its proven author, their Reply-To at the same
 * organisation, and others of that organisation who were on it.
 */
function answers(mail: MessageRecord, key: string): boolean {
  if (!mail.authenticated) return false;
  const author = addressKey(mail.from);
  if (key === author) return true;
  const organisation = organisationOf(domainOf(author));
  if (organisationOf(domainOf(key)) !== organisation || FREE_MAIL.has(organisation)) return false;
  return [...authorsOf(mail), ...mail.to.map(addressKey), ...mail.cc.map(addressKey)].includes(key);
}

/** Whether a thread holds mail of anybody but people in charge and those whom they vouch for, as proven. */
async function holdsOutsideWords(
  sender: Sender,
  thread_id: string,
  in_charge: Promise<AuthorityRecord[]>,
): Promise<boolean> {
  const messages = await sender.storage.find("messages", {
    where: { thread_id },
    order: { by: "id", direction: "desc" },
    limit: MAX_THREAD_MESSAGES,
  });
  const inbound = messages.filter(({ direction }) => direction === "inbound");
  if (inbound.some(({ authenticated }) => !authenticated)) return true;
  const authors = [...new Set(inbound.map(({ from }) => addressKey(from)))];
  const own = await ownPeople(sender, authors, in_charge);
  return authors.some((author) => !own.has(author));
}

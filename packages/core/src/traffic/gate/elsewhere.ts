import { LIMITS } from "../../catalogue/limits.ts";
import { tokensOf } from "../../mail/codes/link-tokens.ts";
import { fold } from "../../mail/mentions/fold.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import { codeMention, fileMention, tokenMention } from "./carried.ts";
import { type Elsewhere, mailOf, type RecipientFacts } from "./findings.ts";
import type { Leaving, Sender } from "./leaving.ts";
import { mentionHash } from "./mentions.ts";

const CODE = /(?<![a-z0-9])\d(?:[ .-]?\d){3,11}(?![a-z0-9])/g;
const WORD = /[a-z0-9]{4,12}/g;
/** Words with a digit that are looked up as codes, and words that are looked up as the tokens of links. */
const MAX_CODES = 1_000;

/** The hashes under which the files and codes of what is to leave would be noted, with their names. */
export function carriedOut(
  { account_id }: InboxRecord,
  leaving: Leaving,
  upload_hashes: readonly string[],
  of_files: readonly string[] = [],
): Map<string, Carried> {
  const { uploads = [], stored = [], subject = "", text, html } = leaving;
  const carried = new Map<string, Carried>();
  // Also what is said to be a picture in the text now: it is noted only where it came in as a file.
  for (const file of stored)
    carried.set(mentionHash(account_id, fileMention(file.hash)), {
      kind: "file",
      name: file.filename,
      blob: file.hash,
    });
  for (const [nth, { filename }] of uploads.entries()) {
    const blob = upload_hashes[nth] ?? "";
    carried.set(mentionHash(account_id, fileMention(blob)), { kind: "file", name: filename, blob });
  }
  const written = [subject, text ?? "", html ?? "", ...of_files].join("\n").slice(0, 200_000);
  const words = fold(written);
  const codes = [...words.matchAll(CODE), ...words.matchAll(WORD)]
    .map(([code]) => codeMention(code))
    .filter((code) => /\d/.test(code));
  const tokens = [...tokensOf(written), ...tokensOf(words)].map(tokenMention);
  for (const [mentions, name] of [
    [codes, "a code of another mail"],
    [tokens, "a one-time link of another mail"],
  ] as const)
    for (const mention of [...new Set(mentions)].slice(0, MAX_CODES))
      carried.set(mentionHash(account_id, mention), { kind: "code", name, blob: null });
  return carried;
}

interface Carried {
  kind: "file" | "code";
  name: string;
  blob: string | null;
}

/** The files and codes that came in with mail that a recipient wasn't on. */
export async function elsewhereOf(
  { storage, inbox, now }: Sender,
  carried: ReadonlyMap<string, Carried>,
  mentions: readonly OutsideMentionRecord[],
  recipients: readonly RecipientFacts[],
): Promise<Elsewhere[]> {
  const lately = iso(new Date(now.getTime() - LIMITS.code_elsewhere_ms));
  const came = mentions.flatMap((mention) => {
    const what = carried.get(mention.hash);
    return what === undefined || (what.kind === "code" && mention.at < lately)
      ? []
      : [{ ...mention, ...what }];
  });
  if (came.length === 0) return [];
  const ids = [...new Set(came.map(({ message_id }) => message_id))];
  const blobs = came.flatMap(({ blob }) => blob ?? []);
  const [messages, uses] = await Promise.all([
    storage.find("messages", { where: { id: { in: ids } }, limit: ids.length }),
    blobs.length === 0 ? [] : storage.find("blob_uses", { where: { hash: { in: blobs } }, limit: 1_000 }),
  ]);
  const used = uses.map(({ message_id }) => message_id);
  const outbound =
    used.length === 0
      ? []
      : await storage.find("messages", { where: { id: { in: used } }, limit: used.length });
  const byId = new Map(messages.map((message) => [message.id, message]));
  const strangers = recipients.filter(({ own }) => !own);
  return came.flatMap(({ kind, name, blob, ...mention }) => {
    const { at, message_id } = mention;
    const ours = outbound.some(
      (message) =>
        message.direction === "outbound" &&
        message.inbox_id === inbox.id &&
        message.created_at < at &&
        uses.some((use) => use.hash === blob && use.message_id === message.id),
    );
    if (ours) return [];
    const on = participantsOf(byId.get(message_id), kind);
    const elsewhere = strangers.some(({ address }) => !on.includes(addressKey(address)));
    return elsewhere ? [{ kind, name, ...mailOf(inbox, mention) }] : [];
  });
}

/** Returns who has a part of a mail already: a file all who were on it, a code its sender. */
function participantsOf(message: MessageRecord | undefined, kind: Carried["kind"]): string[] {
  if (message === undefined) return [];
  const { from, to, cc } = message;
  return (kind === "code" ? [from] : [from, ...to, ...cc]).map(addressKey);
}

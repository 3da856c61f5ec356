import { findWords, MIN_WORD_CHARS } from "./find-words.ts";
import { letterIdsIn } from "./letter-ids.ts";
import { LINK_REMOVED } from "./marks.ts";
import { type Visit, type WalkedMail, walkTexts } from "./walk-texts.ts";

/** The secrets remembered for look-up from one mail; more than any mail from a person contains. */
const MAX_SECRETS = 100;
/** Message-IDs remembered of one mail. */
const MAX_MESSAGE_IDS = 100;

/** A text without secrets, and the removed secrets, as far as they can be looked up. */
export interface Struck {
  text: string;
  secrets: string[];
}

/** A run of full-width or mathematical characters that is long enough to spell a secret. */
const COMPATIBLE = /(?:[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0b]|\ud835[\udc00-\udfff]){20}/;

/** Replaces every secret of a letter in a text, together with the link around it. */
export const strikeText = (written: string): Struck =>
  strikePlain(written, COMPATIBLE.test(written) ? written.normalize("NFKC") : written);

/** Strikes a text, given also as `text` in plain characters, in which the secrets are found. */
function strikePlain(written: string, text: string): Struck {
  const found = findWords(text);
  if (found.length === 0) return { text: written, secrets: [] };
  let kept = "";
  let at = 0;
  for (const { start, end } of found) {
    const from = Math.max(at, linkStart(text, start));
    const to = linkEnd(text, end);
    if (to <= at) continue;
    kept += text.slice(at, from) + LINK_REMOVED;
    at = to;
  }
  return {
    text: kept + text.slice(at),
    secrets: found.flatMap(({ secret }) => (secret === null ? [] : [secret])),
  };
}

/** The characters searched on each side of a secret for the link around it. */
const MAX_LINK_CHARS = 4_000;
const OUTSIDE_LINK = /[\s"'<>()[\]{}]/;

/** Returns the start of the link around a position; outside of links, the position itself. */
function linkStart(text: string, position: number): number {
  let at = position;
  while (at > 0 && position - at < MAX_LINK_CHARS && !OUTSIDE_LINK.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function linkEnd(text: string, position: number): number {
  let at = position;
  while (at < text.length && at - position < MAX_LINK_CHARS && !OUTSIDE_LINK.test(text.charAt(at))) at += 1;
  return at;
}

/** Longer texts are searched separately, because joining them costs more. */
const JOINED_CHARS = 4_000;

/**
 * Notes the secrets and Message-IDs in all texts of a mail except its files, and returns whether a walk through it may
 * strike any. A walk copies the mail, and nearly all mails have none.
 */
export function mayHoldSecrets(mail: WalkedMail, { visit }: Striker): boolean {
  // One search covers nearly all texts: most are too short for a search of their own to pay off.
  const searched: string[] = [];
  let found = false;
  const search = (text: string): void => {
    found ||= visit(text, "text") !== text;
  };
  walkTexts(mail, (text) => {
    if (text.length > JOINED_CHARS) search(text);
    else if (text.length >= MIN_WORD_CHARS) searched.push(text);
    return text;
  });
  search(searched.join("\n\n"));
  return found;
}

/** A visit that strikes secrets, and notes them and the Message-IDs that may belong to our letters. */
export interface Striker {
  visit: Visit;
  secrets: ReadonlySet<string>;
  /** In lower case, with angle brackets. */
  message_ids: ReadonlySet<string>;
  /** Those that are the own Message-IDs of a mail, or of one nested in it. */
  own_ids: ReadonlySet<string>;
}

/** Creates a striker that has noted nothing yet. */
export function createStriker(): Striker {
  const secrets = new Set<string>();
  const message_ids = new Set<string>();
  const own_ids = new Set<string>();
  return {
    secrets,
    message_ids,
    own_ids,
    visit(text, place) {
      if (message_ids.size < MAX_MESSAGE_IDS)
        for (const id of letterIdsIn(text)) {
          message_ids.add(id);
          if (place === "id" && text.startsWith("message-id:")) own_ids.add(id);
        }
      // Bytes read one per character contain no full-width or mathematical characters.
      const struck = place === "bytes" ? strikePlain(text, text) : strikeText(text);
      for (const secret of struck.secrets) if (secrets.size < MAX_SECRETS) secrets.add(secret);
      return struck.text;
    },
  };
}

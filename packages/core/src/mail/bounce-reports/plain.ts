import { addressIn } from "./fields.ts";

const MAX_CHARS = 50_000;
const MAX_LINES = 1_500;

/** The lines that end the server's own words and start the returned mail. */
const COPY_MARKS: readonly RegExp[] = [
  /^[\s\-=_*#]{2,}.{0,40}(?:copy|original|returned|unsent|undelivered|header)\b.{0,80}$/i,
  /^\s*(?:included is|here is|attached is|this is|the following is|below is)\b.{0,60}\b(?:copy|header|original)/i,
  /^\s*(?:message )?headers follow\b/i,
  /^\s*(?:-+\s*)?original (?:message|mail)(?: follows)?\b/i,
  /^(?:received|return-path|message-id|x-originating-ip|dkim-signature):/i,
];

/**
 * A line that names a recipient: alone, in brackets or quotes, after a reply code, or after a word such as
 * "recipient".
 */
const RECIPIENT_LINE =
  /^[\s>*-]{0,20}(?:(?:recipient(?: address)?|to|address|rcpt to|failed recipient|final recipient)\s*:\s*|\d{3}[ -](?:\d\.\d\.\d\s)?)?[<"'(]?([^\s<>()[\],;:"'\\@]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)[>"')]?(?=$|[\s:,([<]|\.(?![a-z0-9]))/i;
const RCPT_LINE = /rcpt\s+to\s*:\s*<([^\s<>]{1,64}@[^\s<>]{1,254})>/gi;

/** A report in prose: its statement about each address, and the returned mail below it. */
export interface PlainReport {
  said: { address: string; text: string }[];
  /** All of the server's own words. */
  words: string;
  /** The copy of the returned mail, or an empty string. */
  returned: string;
}

/** Reads a report in prose. `own` are the addresses that the report is sent to or from, and so not about. */
export function readPlain(text: string, own: readonly string[]): PlainReport {
  const lines = text.slice(0, MAX_CHARS).split("\n").slice(0, MAX_LINES);
  const cut = lines.findIndex((line, index) => index > 0 && COPY_MARKS.some((mark) => mark.test(line)));
  const words = cut === -1 ? lines : lines.slice(0, cut);
  const returned = cut === -1 ? "" : lines.slice(cut).join("\n");
  const joined = words.join("\n");
  return { said: saidOf(words, joined, own), words: joined, returned };
}

function saidOf(lines: readonly string[], words: string, own: readonly string[]): PlainReport["said"] {
  const at = new Map<string, number[]>();
  lines.forEach((line, index) => {
    // "To: …" among the mail's own headers names its intended recipient, not the failed one.
    if (/^\s*(?:to|from|cc|subject|sent|date)\s*:/i.test(line)) return;
    const address = RECIPIENT_LINE.exec(line)?.[1]?.toLowerCase();
    if (address !== undefined && !own.includes(address)) at.set(address, [...(at.get(address) ?? []), index]);
  });
  if (at.size === 0) return mentioned(words, own);
  const starts = [...at.values()].flat().sort((a, b) => a - b);
  return [...at].map(([address, indexes]) => ({
    address,
    text: indexes
      .map((index) => lines.slice(index, starts.find((start) => start > index) ?? lines.length).join("\n"))
      .join("\n"),
  }));
}

/** Returns the addresses mentioned in passing, each with the whole text. */
function mentioned(words: string, own: readonly string[]): PlainReport["said"] {
  const commands = [...words.matchAll(RCPT_LINE)].map(([, address]) => (address as string).toLowerCase());
  const names = commands.length > 0 ? commands : words.split(/[\s,;]+/).map((word) => addressIn(word));
  const addresses = new Set(names.filter((name) => name !== null && !own.includes(name) && !isDaemon(name)));
  return [...addresses].map((address) => ({ address: address as string, text: words }));
}

/** Whether an address belongs to a mail system. */
export function isDaemon(address: string): boolean {
  return /^(?:microsoftexchange[0-9a-f]{32}(?=@)|mailer[-_.]?daemon|mail[-_.]?daemon|po+st_?master|postmast|mdaemon|mmdf|daemon)(?:[+@-]|$)/i.test(
    address,
  );
}

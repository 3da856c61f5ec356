/** A mail in a mailbox. */
export interface BoxedMail {
  /** The envelope sender of the separator line. */
  from: string;
  date: Date;
  raw: Uint8Array;
}

const LF = 0x0a;
const QUOTE = 0x3e;
const FROM = Buffer.from("From ");
/** The space for what was read of a mailbox and not yet handed on; for a longer mail it grows. */
const SPACE_BYTES = 256 * 1024;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A mail as an entry of an mbox file (RFC 4155): a separator line, the mail with one `>` more before each line
 * that begins with `From ` and any number of `>` (mboxrd, so that it can be undone), and an empty line.
 */
export function mboxEntry({ from, date, raw }: BoxedMail): Uint8Array {
  const separator = Buffer.from(`From ${from.replaceAll(/\s/g, "") || "MAILER-DAEMON"} ${asctime(date)}\n`);
  const pieces: Uint8Array[] = [separator];
  let start = 0;
  for (const line of quotedLines(raw)) {
    pieces.push(raw.subarray(start, line), Buffer.from(">"));
    start = line;
  }
  pieces.push(raw.subarray(start), Buffer.from(raw.at(-1) === LF ? "\n" : "\n\n"));
  return Buffer.concat(pieces);
}

/** Yields the offsets of lines that look like a separator behind any number of `>`. */
function* quotedLines(raw: Uint8Array): Generator<number> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  for (let found = bytes.indexOf(FROM); found !== -1; found = bytes.indexOf(FROM, found + FROM.length)) {
    let start = found;
    while (start > 0 && bytes[start - 1] === QUOTE) start--;
    if (start === 0 || bytes[start - 1] === LF) yield start;
  }
}

/** `Thu Jan  1 00:00:00 1970`, in UTC. */
function asctime(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, " ");
  const time = date.toISOString().slice(11, 19);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`;
}

/**
 * Yields the mails of an mbox file, unquoted, each at most `max_bytes` long. The file doesn't record whether a mail
 * ended with a line break, so each comes in both forms: `[with, without]`. They are valid until the next mail is
 * requested. Throws the error from `tooLong` for a longer mail.
 */
export async function* readMbox(
  content: AsyncIterable<Uint8Array>,
  max_bytes: number,
  tooLong: () => Error,
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  const unread = collectBytes();
  /** The start of the mail whose separator was last read; undefined before the first one. */
  let begin: number | undefined;
  /** No further separator begins before this offset. */
  let searched = 0;
  const mailUpTo = (end: number): [Uint8Array, Uint8Array] => {
    const mail = unquoted(unread.bytes().subarray(begin, end));
    if (mail.length > max_bytes + 2) throw tooLong();
    return bothForms(mail);
  };

  for await (const chunk of content) {
    unread.add(chunk);
    const bytes = unread.bytes();
    for (;;) {
      const start = separatorIn(bytes, searched);
      const end = start === -1 ? -1 : bytes.indexOf(LF, start);
      if (end === -1) {
        searched = start === -1 ? Math.max(searched, bytes.length - FROM.length) : start;
        break;
      }
      if (begin !== undefined) yield mailUpTo(start);
      begin = end + 1;
      // The line break of this separator may be the one before the next.
      searched = begin;
    }
    // Release what was read, except one byte, which shows whether a line begins after it.
    const done = Math.max(0, (begin ?? searched) - 1);
    unread.drop(done);
    searched -= done;
    if (begin !== undefined) begin -= done;
    // The quote marks never take more bytes than the mail itself.
    if (bytes.length - done > 2 * (max_bytes + 2) + FROM.length) throw tooLong();
  }
  if (begin !== undefined) yield mailUpTo(unread.bytes().length);
}

/** Returns the offset of the next line that is a separator, at `from` or later, or -1. */
function separatorIn(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(FROM, from); at !== -1; at = bytes.indexOf(FROM, at + 1))
    if (at === 0 || bytes[at - 1] === LF) return at;
  return -1;
}

/** Unquotes a mail: drops the first `>` of each line that would be a separator without its `>`s. */
function unquoted(quoted: Buffer): Uint8Array {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const line of quotedLines(quoted)) {
    if (quoted[line] !== QUOTE) continue;
    pieces.push(quoted.subarray(start, line));
    start = line + 1;
  }
  if (pieces.length === 0) return quoted;
  pieces.push(quoted.subarray(start));
  return Buffer.concat(pieces);
}

/** A mail without the empty line behind it, and without the line break that may have been added before that. */
function bothForms(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  return [bytes.subarray(0, Math.max(0, bytes.length - 1)), bytes.subarray(0, Math.max(0, bytes.length - 2))];
}

/** Puts bytes one behind the other, in one piece of memory that grows as needed and shrinks again. */
function collectBytes() {
  let space = Buffer.alloc(SPACE_BYTES);
  let length = 0;
  return {
    /** All that were added and not dropped; valid until the next change. */
    bytes: (): Buffer => space.subarray(0, length),
    add(more: Uint8Array) {
      if (length + more.length > space.length)
        space = Buffer.concat([space], Math.max(2 * space.length, length + more.length));
      space.set(more, length);
      length += more.length;
    },
    /** Drops the first ones. */
    drop(count: number) {
      if (count === 0) return;
      const left = space.subarray(count, length);
      if (space.length > SPACE_BYTES && left.length <= SPACE_BYTES / 2)
        space = Buffer.concat([left], SPACE_BYTES);
      else space.copyWithin(0, count, length);
      length = left.length;
    },
  };
}

/**
 * Splits bytes into lines, each with its line feed if it has one, and holds no more than one line. Throws what
 * `tooLong` makes when a line has more than `max_bytes`.
 */
export async function* linesOf(
  content: AsyncIterable<Uint8Array>,
  max_bytes: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array> {
  let open: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const last = chunk.subarray(start, end + 1);
      if (bytes + last.length > max_bytes) throw tooLong();
      yield open.length === 0 ? last : Buffer.concat([...open, last]);
      open = [];
      bytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    open.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > max_bytes) throw tooLong();
  }
  if (open.length > 0) yield Buffer.concat(open);
}

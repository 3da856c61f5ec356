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
/** The space that a mail begins with. */
const SPACE_BYTES = 64 * 1024;
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

/** Where the lines begin that look like a separator, behind any number of `>`. */
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
 * The mails of an mbox file, unquoted, each at most `max_bytes` long. The file doesn't say whether a mail ended with
 * a line break, so each comes in both forms: `[with, without]`. Throws what `tooLong` makes for a longer one.
 */
export async function* readMbox(
  content: AsyncIterable<Uint8Array>,
  max_bytes: number,
  tooLong: () => Error,
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  const mail = collectBytes(max_bytes + 2, tooLong);
  let begun = false;
  for await (const line of linesOf(content, max_bytes + 2, tooLong)) {
    if (startsWithFrom(line, 0)) {
      if (begun) yield bothForms(mail.take());
      begun = true;
      continue;
    }
    if (begun) mail.add(isQuoted(line) ? line.subarray(1) : line);
  }
  if (begun) yield bothForms(mail.take());
}

/** A mail without the empty line behind it, and without the line break that may have been added before that. */
function bothForms(bytes: Uint8Array): [Uint8Array, Uint8Array] {
  return [bytes.subarray(0, Math.max(0, bytes.length - 1)), bytes.subarray(0, Math.max(0, bytes.length - 2))];
}

/**
 * Puts bytes one behind the other, in one piece of memory that grows: many short lines cost no more than a long one, and
 * many short mails no more memory than one. `take` hands over what is there and begins anew.
 */
function collectBytes(max_bytes: number, tooLong: () => Error) {
  let bytes = Buffer.alloc(SPACE_BYTES);
  let length = 0;
  return {
    add(more: Uint8Array) {
      if (length + more.length > max_bytes) throw tooLong();
      if (length + more.length > bytes.length)
        bytes = Buffer.concat([bytes, Buffer.alloc(Math.max(bytes.length, more.length))]);
      bytes.set(more, length);
      length += more.length;
    },
    take(): Uint8Array {
      const whole = bytes.subarray(0, length);
      const taken = bytes.length > SPACE_BYTES ? whole : Buffer.from(whole);
      if (taken === whole) bytes = Buffer.alloc(SPACE_BYTES);
      length = 0;
      return taken;
    },
  };
}

const startsWithFrom = (line: Uint8Array, at: number): boolean =>
  line.length >= at + FROM.length && FROM.every((byte, index) => line[at + index] === byte);

function isQuoted(line: Uint8Array): boolean {
  let at = 0;
  while (line[at] === QUOTE) at++;
  return at > 0 && startsWithFrom(line, at);
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

const LF = 0x0a;
const CR = 0x0d;
/** `From `, an address, and a time with a year: a separator has all of these, a sentence rarely. */
const SEPARATOR = /^From \S*.*\b\d{1,2}:\d{2}.*\b\d{4}\b/;
const QUOTED = /^>+From /;
const SEPARATOR_CHARS = 500;

/** A mail of an mbox file; `raw` is null if it is longer than it may be. */
export interface BoxedMail {
  number: number;
  raw: Buffer | null;
}

/**
 * Yields the mails of an mbox file (RFC 4155) in any of its variants: a separator stands at the beginning or after an
 * empty line, and quoted lines are unquoted once. Holds one mail at a time.
 */
export async function* mailsOfMbox(
  content: AsyncIterable<Uint8Array>,
  max_bytes: number,
): AsyncGenerator<BoxedMail> {
  let lines: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  let after_empty = true;
  const mail = (): BoxedMail => ({ number, raw: bytes > max_bytes ? null : withoutLastEmpty(lines) });
  for await (const line of linesOf(content, max_bytes)) {
    if (after_empty && SEPARATOR.test(line.toString("latin1", 0, SEPARATOR_CHARS))) {
      if (number > 0) yield mail();
      number += 1;
      lines = [];
      bytes = 0;
      after_empty = false;
      continue;
    }
    after_empty = line.length === 1 || (line.length === 2 && line[0] === CR);
    // Before the first separator there is no mail.
    if (number === 0) continue;
    bytes += line.length;
    if (bytes > max_bytes) lines = [];
    else lines.push(QUOTED.test(line.toString("latin1", 0, SEPARATOR_CHARS)) ? line.subarray(1) : line);
  }
  if (number > 0) yield mail();
}

/** The empty line before the next separator is the file's, not the mail's. */
function withoutLastEmpty(lines: Buffer[]): Buffer {
  const last = lines.at(-1);
  const is_empty = last !== undefined && (last.length === 1 || (last.length === 2 && last[0] === CR));
  return Buffer.concat(is_empty && last.at(-1) === LF ? lines.slice(0, -1) : lines);
}

/** Lines with their ends. One that is longer than a mail may be comes in pieces. */
async function* linesOf(content: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      const last = bytes.subarray(start, end + 1);
      yield rest.length === 0 ? last : Buffer.concat([...rest, last]);
      [rest, length] = [[], 0];
      start = end + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
    length += bytes.length - start;
    if (length <= max_bytes) continue;
    yield Buffer.concat(rest);
    [rest, length] = [[], 0];
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

import type { PassThrough } from "node:stream";

const LF = 0x0a;
const CR = 0x0d;
const DOT = 0x2e;
const NOTHING = Buffer.alloc(0);

/** Removes the dots that SMTP adds to lines (RFC 5321, section 4.5.2), and finds the line that ends the data. */
export interface DotReader {
  /** Reads a chunk's content; `rest` follows the last line, or is null while the data goes on. */
  read(chunk: Buffer): { content: Buffer; rest: Buffer | null };
  /** Skips discarded data: returns no content, and costs the same for any lines. */
  skip(chunk: Buffer): { content: Buffer; rest: Buffer | null };
}

const END = Buffer.from("\r\n.\r\n");
/** The possible beginnings of the end-of-data sequence at the end of a chunk. */
const END_BEGUN = [Buffer.from("\r\n.\r"), Buffer.from("\r\n.")];

/**
 * Creates a reader for the data of one mail. Only CR LF . CR LF ends it; the second of two dots that follow a bare LF
 * stays too, as in smtp-server. Each byte is read once, independently of line lengths and of the split into chunks, and
 * a chunk makes one piece of content.
 */
export function createDotReader(): DotReader {
  // The two bytes before the next one. The data starts at the start of a line.
  let [before, last] = [CR, LF];
  /** A dot at the start of a line, perhaps with a CR, that the next byte decides about. */
  let held = NOTHING;

  function keep(content: Buffer): Buffer {
    if (content.length >= 2) before = content[content.length - 2] as number;
    else if (content.length === 1) before = last;
    if (content.length > 0) last = content[content.length - 1] as number;
    return content;
  }

  return {
    read(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = NOTHING;
      const starts_with_dot = last === LF && bytes[0] === DOT;
      const first = starts_with_dot ? 0 : bytes.indexOf("\n.") + 1;
      if (!starts_with_dot && first === 0) return { content: keep(bytes), rest: null };
      const out = Buffer.allocUnsafe(bytes.length);
      // Nearly always the first line with a dot is the one that ends the data.
      keep(bytes.subarray(0, first)).copy(out);
      let length = first;
      for (let at = first; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (byte === DOT && last === LF) {
          const next = bytes[at + 1];
          const ends = before === CR && next === CR;
          if (next === undefined || (ends && bytes[at + 2] === undefined)) {
            held = Buffer.from(bytes.subarray(at));
            break;
          }
          if (ends && bytes[at + 2] === LF)
            return { content: out.subarray(0, length), rest: bytes.subarray(at + 3) };
          if (next === DOT) {
            // The added dot is dropped; the next one is content.
            before = last;
            last = DOT;
            continue;
          }
        }
        out[length] = byte;
        length += 1;
        before = last;
        last = byte;
      }
      return { content: out.subarray(0, length), rest: null };
    },
    skip(chunk) {
      const bytes = Buffer.concat([Buffer.of(before, last), held, chunk]);
      const end = bytes.indexOf(END);
      if (end >= 0) return { content: NOTHING, rest: bytes.subarray(end + END.length) };
      const begun = END_BEGUN.find((part) => bytes.subarray(-part.length).equals(part));
      held = begun === undefined ? NOTHING : begun.subarray(2);
      keep(bytes.subarray(0, bytes.length - held.length));
      return { content: NOTHING, rest: null };
    },
  };
}

/** Bytes of mail that one turn of the event loop reads: about two milliseconds' work. */
const TURN_BYTES = 262_144;

/** Runs pieces of work in call order, as many in one turn of the event loop as their bytes allow. */
type Pace = (bytes: number, run: () => void) => void;

/**
 * Creates what shares out the turns of the event loop among connections. When many of them send at once, one
 * turn would otherwise read megabytes of each.
 */
export function createPace(turn_bytes = TURN_BYTES): Pace {
  const waiting: { bytes: number; run: () => void }[] = [];
  let left = turn_bytes;
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(beginTurn);
  }

  function beginTurn(): void {
    scheduled = false;
    left = turn_bytes;
    while (left > 0) {
      const next = waiting.shift();
      if (next === undefined) break;
      left -= next.bytes;
      next.run();
    }
    if (left < turn_bytes) schedule();
  }

  return (bytes, run) => {
    schedule();
    if (waiting.length > 0 || left <= 0) {
      waiting.push({ bytes, run });
      return;
    }
    left -= bytes;
    run();
  };
}

/** The parser of an smtp-server connection: the members that a mail's data passes through. */
export interface SmtpParser {
  _dataStream: (PassThrough & { sizeExceeded?: boolean }) | null;
  _countDataBytes(bytes: number): void;
  _endDataMode(content: Buffer, rest: Buffer, done: () => void): void;
  _feedDataStream(chunk: Buffer, done: () => void): void;
}

/**
 * Makes a parser that has just entered data mode read this mail with a `DotReader`. smtp-server 3.21 writes every
 * dot-stuffed line on its own and then waits for a turn of the event loop: a mail of short ones takes it hundreds of
 * times longer than any other. `pace` schedules the reading of each chunk. Returns false, and leaves the parser
 * unchanged, if it isn't one.
 */
export function readDotsQuickly(parser: unknown, pace: Pace = (_, run) => run()): boolean {
  if (!isSmtpParser(parser)) return false;
  const reader = createDotReader();
  const feed = (chunk: Buffer, done: () => void): void => {
    const stream = parser._dataStream;
    const { content, rest } = stream?.sizeExceeded === true ? reader.skip(chunk) : reader.read(chunk);
    parser._countDataBytes(content.length);
    if (rest !== null) return parser._endDataMode(content, rest, done);
    if (stream === null || content.length === 0 || !stream.writable) return done();
    if (stream.write(content) || stream.destroyed) return done();
    // A stream that is destroyed never drains.
    const resume = () => {
      stream.off("drain", resume);
      stream.off("close", resume);
      done();
    };
    stream.once("drain", resume);
    stream.once("close", resume);
  };
  parser._feedDataStream = (chunk, done) => pace(chunk.length, () => feed(chunk, done));
  return true;
}

function isSmtpParser(parser: unknown): parser is SmtpParser {
  const members = ["_countDataBytes", "_endDataMode", "_feedDataStream"];
  return (
    typeof parser === "object" &&
    parser !== null &&
    members.every((name) => typeof (parser as Record<string, unknown>)[name] === "function")
  );
}

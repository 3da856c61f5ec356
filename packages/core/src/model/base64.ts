/** Multiples of three, so that each block but the last ends with a whole group of four characters. */
const FIRST_BLOCK_BYTES = 3 * 4 * 1024;
const BLOCK_BYTES = 3 * 256 * 1024;
/** A multiple of three: bytes that are written as text at a time. */
const SLICE_BYTES = 3 * 64 * 1024;
const GROUP_CHARS = 4;
/** Characters that are decoded at a time. */
const SLICE_CHARS = 256 * 1024;

/**
 * What came as Base64 and was decoded as it came. An input has it in place of the text, which would take more than twice
 * its memory.
 */
export class DecodedBase64 {
  // Private: what walks through an input would find millions of fields.
  readonly #bytes: Uint8Array | undefined;
  readonly #end: string;

  constructor(bytes: Uint8Array | undefined, end: string) {
    this.#bytes = bytes;
    this.#end = end;
  }

  /** Undefined where the text was no Base64. */
  get bytes(): Uint8Array | undefined {
    return this.#bytes;
  }

  /** The text as it came, in slices. */
  *texts(): Generator<string, undefined> {
    const { buffer, byteOffset, byteLength } = this.#bytes ?? new Uint8Array();
    const end = this.#end;
    // Two texts may stand for the same bytes: they differ in their last group.
    const whole = Math.max(0, Math.ceil(byteLength / 3) - 1) * 3;
    for (let at = 0; at < whole; at += SLICE_BYTES)
      yield Buffer.from(buffer, byteOffset + at, Math.min(SLICE_BYTES, whole - at)).toString("base64");
    yield end;
  }
}

/** Decodes Base64 (RFC 4648, section 4, with padding) piece by piece; it costs as much as checking it. */
interface Base64Decoder {
  push(text: string): void;
  end(): DecodedBase64;
}

/** The bytes of a text in Base64; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const decoder = createBase64Decoder(text.length);
  for (let at = 0; at < text.length; at += SLICE_CHARS) decoder.push(text.slice(at, at + SLICE_CHARS));
  return decoder.end().bytes;
}

/**
 * Creates a decoder of one text; `max_chars` says how long it is at most. Where that isn't known, each block is twice as
 * large as the one before.
 */
export function createBase64Decoder(max_chars?: number): Base64Decoder {
  let next_bytes =
    max_chars === undefined
      ? FIRST_BLOCK_BYTES
      : Math.min(BLOCK_BYTES, Math.ceil(max_chars / GROUP_CHARS) * 3);
  let blocks: Buffer[] = [];
  let block_bytes = 0;
  /** Bytes of the last block that are taken. */
  let used = 0;
  let rest = "";
  let last_group = "";
  let wrong = false;

  /** Decodes whole groups that fit into a block. */
  const add = (text: string) => {
    // Node's decoder skips unknown characters, and also accepts the URL-safe alphabet.
    const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
    const bytes = (text.length / GROUP_CHARS) * 3 - padding;
    const decoded = blocks.at(-1)?.write(text, used, "base64");
    // Nothing follows padding.
    wrong ||= last_group.endsWith("=") || decoded !== bytes || text.includes("-") || text.includes("_");
    used += bytes;
    last_group = text.slice(-GROUP_CHARS);
  };

  return {
    push(text) {
      const all = rest + text;
      const whole = all.length - (all.length % GROUP_CHARS);
      for (let at = 0; at < whole && !wrong; ) {
        if (used === block_bytes) {
          blocks.push(Buffer.allocUnsafeSlow(next_bytes));
          [block_bytes, used] = [next_bytes, 0];
          next_bytes = Math.min(BLOCK_BYTES, 2 * next_bytes);
        }
        const next = Math.min(whole, at + Math.floor((block_bytes - used) / 3) * GROUP_CHARS);
        add(all.slice(at, next));
        at = next;
      }
      rest = wrong ? "" : all.slice(whole);
      if (wrong) blocks = [];
    },
    end() {
      if (wrong || rest !== "") return new DecodedBase64(undefined, "");
      return new DecodedBase64(joined(blocks, used), last_group);
    },
  };
}

/** Blocks as one, of which the last is used in part; each is freed once it was copied. */
function joined(blocks: readonly Buffer[], used_of_last: number): Uint8Array {
  const [first] = blocks;
  if (first === undefined) return new Uint8Array();
  if (blocks.length === 1 && used_of_last * 2 >= first.length) return first.subarray(0, used_of_last);
  const used = blocks.map((block, index) => (index < blocks.length - 1 ? block.length : used_of_last));
  const whole = Buffer.allocUnsafeSlow(used.reduce((sum, bytes) => sum + bytes, 0));
  let at = 0;
  for (const [index, block] of blocks.entries()) {
    at += block.copy(whole, at, 0, used[index]);
    freeDecoded(block);
  }
  return whole;
}

/** The buffers that somebody may still read. */
const kept = new WeakSet<ArrayBufferLike>();

/** Leaves bytes to the garbage collector: somebody reads them, for as long as it takes. */
export function keepDecoded({ buffer }: Uint8Array): void {
  kept.add(buffer);
}

/**
 * Frees bytes that were decoded here, now rather than when the garbage collector looks: they are empty then. Those that
 * are kept stay.
 */
export function freeDecoded({ buffer }: Uint8Array): void {
  if (!kept.has(buffer)) (buffer as ArrayBuffer).transfer(0);
}

/** The changes that journalled-disk.c records, in the order of its `enum kind`. */
const CHANGES = [
  "write",
  "truncate",
  "create",
  "mkdir",
  "link",
  "rename",
  "remove",
  "sync_begins",
  "sync_ends",
  "sync_fails",
] as const;

/** A change under the folder, or a sync. */
export interface Note {
  change: (typeof CHANGES)[number];
  /** The inode of the file or folder, or of a new name's target. */
  inode: number;
  /** A write's offset, a truncated file's length, or a sync's id. */
  number: number;
  /** The bytes written; for names one path, or two separated by a zero byte. */
  payload: Buffer;
  /** The journal's position after this note. */
  moment: number;
}

const HEADER_BYTES = 24;

/** Reads the notes of a journal in order, from a moment on. Skips a note that a killed process left incomplete. */
export function* readJournal(bytes: Buffer, from = 0): Generator<Note> {
  for (let at = from; at + HEADER_BYTES <= bytes.length; ) {
    const change = CHANGES[bytes.readUInt32LE(at) - 1];
    if (change === undefined) throw new Error(`the journal has no change at ${at}`);
    const [begin, length] = [at + HEADER_BYTES, bytes.readUInt32LE(at + 4)];
    const end = begin + length;
    if (end > bytes.length) return;
    const [inode, number] = [Number(bytes.readBigUInt64LE(at + 8)), Number(bytes.readBigUInt64LE(at + 16))];
    yield { change, inode, number, payload: bytes.subarray(begin, end), moment: end };
    at = end;
  }
}

/** Reads the paths of a note about names. */
export function readPaths({ payload }: Note): string[] {
  return payload.toString().split("\0").filter(Boolean);
}

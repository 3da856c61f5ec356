/** What journalled-disk.c notes; the order is that of its `enum kind`. */
const changes = [
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

/** A change that a process made under the folder, or a sync. */
export interface Note {
  change: (typeof changes)[number];
  /** Of the file or folder; of what a new name names. */
  inode: number;
  /** Where a write begins, how long a truncated file is, or which sync it is. */
  number: number;
  /** What was written; for names: one path, or two with a zero byte between. */
  payload: Buffer;
  /** How far the journal has come with it. */
  moment: number;
}

const HEADER_BYTES = 24;

/**
 * The notes of a journal in their order, from a moment on. What a killed process began to note and did not
 * finish is left out.
 */
export function* readJournal(bytes: Buffer, from = 0): Generator<Note> {
  for (let at = from; at + HEADER_BYTES <= bytes.length; ) {
    const change = changes[bytes.readUInt32LE(at) - 1];
    if (change === undefined) throw new Error(`the journal has no change at ${at}`);
    const [begin, length] = [at + HEADER_BYTES, bytes.readUInt32LE(at + 4)];
    const end = begin + length;
    if (end > bytes.length) return;
    const [inode, number] = [Number(bytes.readBigUInt64LE(at + 8)), Number(bytes.readBigUInt64LE(at + 16))];
    yield { change, inode, number, payload: bytes.subarray(begin, end), moment: end };
    at = end;
  }
}

/** The paths of a note about names. */
export function pathsOf({ payload }: Note): string[] {
  return payload.toString().split("\0").filter(Boolean);
}

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

/** Bytes of a file that grow with what is written. */
interface Content {
  bytes: Buffer;
  length: number;
}

/** A change of a file's bytes or of its length. */
export type FileChange = { at: number; offset: number; bytes: Buffer } | { at: number; length: number };
/** Names of one folder that change together; undefined: the name goes. */
type NameChange = { at: number; names: [name: string, node: Node | undefined][] };

/**
 * A file: what is on the disk itself, what programs see, and the changes between the two, each with its place
 * in the journal.
 */
export interface File {
  kind: "file";
  synced: Content;
  current: Content;
  pending: FileChange[];
}

/** The same of a folder's names. */
export interface Folder {
  kind: "folder";
  synced: Map<string, Node>;
  current: Map<string, Node>;
  pending: NameChange[];
}

/** What a name names. */
export type Node = File | Folder;

/** A folder that is on the disk. */
export function folderOf(entries: [string, Node][]): Folder {
  return { kind: "folder", synced: new Map(entries), current: new Map(entries), pending: [] };
}

/** A file that is on the disk. */
export function fileOf(bytes: Buffer): File {
  const content = () => ({ bytes: Buffer.from(bytes), length: bytes.length });
  return { kind: "file", synced: content(), current: content(), pending: [] };
}

/**
 * What was pending before `begun` reaches the disk where fate is kind. Bytes are pending no more, come what
 * may: the system takes them for written. Names stay, since file systems keep them in a journal, and stop
 * when they can't write that.
 */
export function sync(node: Node, begun: number, fate: () => boolean): void {
  const isDue = ({ at }: { at: number }) => at <= begun;
  if (node.kind === "file") {
    for (const change of node.pending.filter(isDue)) bringPartly(node.synced, change, fate);
    node.pending = node.pending.filter((change) => !isDue(change));
    return;
  }
  const brought = bringNames(node.synced, node.pending.filter(isDue), fate);
  node.pending = node.pending.slice(brought);
}

/**
 * Names that stand for a file go to the disk with it, and all that changed in their folder before, since file
 * systems keep that order.
 */
export function syncNamesOf(file: File, folders: Iterable<Folder>, begun: number): void {
  for (const folder of folders) {
    const last = folder.pending.findLastIndex(
      ({ at, names }) => at <= begun && names.some(([, node]) => node === file),
    );
    const brought = bringNames(folder.synced, folder.pending.slice(0, last + 1), () => true);
    folder.pending = folder.pending.slice(brought);
  }
}

/**
 * Brings the first changes of names to the disk, as many as fate is kind to: file systems keep their order.
 * Answers how many.
 */
function bringNames(names: Map<string, Node>, pending: NameChange[], fate: () => boolean): number {
  const unlucky = pending.findIndex(() => !fate());
  const brought = unlucky === -1 ? pending : pending.slice(0, unlucky);
  for (const change of brought) for (const entry of change.names) setName(names, entry);
  return brought.length;
}

function bringPartly(content: Content, change: FileChange, fate: () => boolean): void {
  if ("length" in change) {
    if (fate()) applyChange(content, change);
    return;
  }
  const { offset, bytes } = change;
  for (let at = offset; at < offset + bytes.length; ) {
    const end = Math.min(offset + bytes.length, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    if (fate()) applyChange(content, { at: 0, offset: at, bytes: bytes.subarray(at - offset, end - offset) });
    at = end;
  }
}

/** Changes a file's bytes. */
export function applyChange(content: Content, change: FileChange): void {
  const end = "length" in change ? change.length : change.offset + change.bytes.length;
  if (end > content.bytes.length) content.bytes = Buffer.concat([content.bytes, Buffer.alloc(end)]);
  if ("length" in change) {
    if (end < content.length) content.bytes.fill(0, end, content.length);
    content.length = end;
    return;
  }
  change.bytes.copy(content.bytes, change.offset);
  content.length = Math.max(content.length, end);
}

/** Changes a name. */
export function setName(names: Map<string, Node>, [name, node]: [string, Node | undefined]): void {
  if (node === undefined) names.delete(name);
  else names.set(name, node);
}

/** Reads a folder; `nodes` gets whatever is in it by its inode. */
export function readFolder(path: string, nodes: Map<number, Node>): Folder {
  const entries = readdirSync(path, { withFileTypes: true }).map((entry): [string, Node] => {
    const own = join(path, entry.name);
    if (entry.isDirectory()) return [entry.name, readFolder(own, nodes)];
    const file = fileOf(readFileSync(own));
    nodes.set(statSync(own).ino, file);
    return [entry.name, file];
  });
  const folder = folderOf(entries);
  nodes.set(statSync(path).ino, folder);
  return folder;
}

/**
 * Writes a folder as it is on the disk, with what chance has brought there of the changes that nobody synced.
 */
export function writeFolder(folder: Folder, path: string, kept: () => boolean): void {
  bringNames(folder.synced, folder.pending, kept);
  for (const [name, node] of folder.synced) {
    const own = join(path, name);
    if (node.kind === "folder") {
      mkdirSync(own, { mode: 0o700 });
      writeFolder(node, own, kept);
      continue;
    }
    for (const change of node.pending) bringPartly(node.synced, change, kept);
    writeFileSync(own, bytesOf(node.synced), { mode: 0o600 });
  }
}

/** The bytes of a file. */
export function bytesOf({ bytes, length }: Content): Buffer {
  return bytes.subarray(0, length);
}

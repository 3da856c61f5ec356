import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The unit that a disk writes atomically. */
const SECTOR_BYTES = 512;

/** The bytes of a file in a growing buffer. */
interface Content {
  bytes: Buffer;
  length: number;
}

/** A change of a file's bytes or of its length. */
export type FileChange = { at: number; offset: number; bytes: Buffer } | { at: number; length: number };
/** Names of one folder that change atomically; undefined removes the name. */
type NameChange = { at: number; names: [name: string, node: Node | undefined][] };

/** A file: its bytes on disk, the bytes that programs see, and the pending changes with their journal positions. */
export interface File {
  kind: "file";
  synced: Content;
  current: Content;
  pending: FileChange[];
}

/** The same for a folder's names. */
export interface Folder {
  kind: "folder";
  synced: Map<string, Node>;
  current: Map<string, Node>;
  pending: NameChange[];
}

/** A file or folder. */
export type Node = File | Folder;

/** Creates a fully synced folder. */
export function createFolder(entries: [string, Node][]): Folder {
  return { kind: "folder", synced: new Map(entries), current: new Map(entries), pending: [] };
}

/** Creates a fully synced file. */
export function createFile(bytes: Buffer): File {
  const content = () => ({ bytes: Buffer.from(bytes), length: bytes.length });
  return { kind: "file", synced: content(), current: content(), pending: [] };
}

/**
 * Applies the changes pending before `begun` to the disk where `fate` allows. Bytes are no longer pending in
 * any case, because the system considers them written. Names remain pending, because file systems journal
 * them and stop if they can't write the journal.
 */
export function sync(node: Node, begun: number, fate: () => boolean): void {
  const isDue = ({ at }: { at: number }) => at <= begun;
  if (node.kind === "file") {
    for (const change of node.pending.filter(isDue)) applyPartly(node.synced, change, fate);
    node.pending = node.pending.filter((change) => !isDue(change));
    return;
  }
  const applied = applyNames(node.synced, node.pending.filter(isDue), fate);
  node.pending = node.pending.slice(applied);
}

/** Writes a file's names to disk, with all earlier changes in their folders, since file systems keep that order. */
export function syncNames(file: File, folders: Iterable<Folder>, begun: number): void {
  for (const folder of folders) {
    const last = folder.pending.findLastIndex(
      ({ at, names }) => at <= begun && names.some(([, node]) => node === file),
    );
    const applied = applyNames(folder.synced, folder.pending.slice(0, last + 1), () => true);
    folder.pending = folder.pending.slice(applied);
  }
}

/** Applies the first name changes to disk, in order, until `fate` stops it. Returns how many. */
function applyNames(names: Map<string, Node>, pending: NameChange[], fate: () => boolean): number {
  const unlucky = pending.findIndex(() => !fate());
  const applied = unlucky === -1 ? pending : pending.slice(0, unlucky);
  for (const change of applied) for (const entry of change.names) setName(names, entry);
  return applied.length;
}

function applyPartly(content: Content, change: FileChange, fate: () => boolean): void {
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

/** Applies a change to a file's bytes. */
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

/** Sets or removes a name. */
export function setName(names: Map<string, Node>, [name, node]: [string, Node | undefined]): void {
  if (node === undefined) names.delete(name);
  else names.set(name, node);
}

/** Reads a folder recursively, and adds everything in it to `nodes` by inode. */
export function readFolder(path: string, nodes: Map<number, Node>): Folder {
  const entries = readdirSync(path, { withFileTypes: true }).map((entry): [string, Node] => {
    const own = join(path, entry.name);
    if (entry.isDirectory()) return [entry.name, readFolder(own, nodes)];
    const file = createFile(readFileSync(own));
    nodes.set(statSync(own).ino, file);
    return [entry.name, file];
  });
  const folder = createFolder(entries);
  nodes.set(statSync(path).ino, folder);
  return folder;
}

/** Writes a folder as it is on disk, with those unsynced changes that `kept` allows. */
export function writeFolder(folder: Folder, path: string, kept: () => boolean): void {
  applyNames(folder.synced, folder.pending, kept);
  for (const [name, node] of folder.synced) {
    const own = join(path, name);
    if (node.kind === "folder") {
      mkdirSync(own, { mode: 0o700 });
      writeFolder(node, own, kept);
      continue;
    }
    for (const change of node.pending) applyPartly(node.synced, change, kept);
    writeFileSync(own, readBytes(node.synced), { mode: 0o600 });
  }
}

/** Returns the bytes of a file. */
export function readBytes({ bytes, length }: Content): Buffer {
  return bytes.subarray(0, length);
}

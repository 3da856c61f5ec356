import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Note, pathsOf } from "./disk-journal.ts";

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;
/** Written through a mapping, which the journal doesn't see; SQLite makes it anew from the rest. */
const mapped = /-shm$/;

/** Bytes of a file that grow with what is written. */
interface Content {
  bytes: Buffer;
  length: number;
}

type FileChange = { at: number; offset: number; bytes: Buffer } | { at: number; length: number };
type NameChange = { at: number; names: [name: string, node: Node | undefined][] };

interface File {
  kind: "file";
  synced: Content;
  current: Content;
  pending: FileChange[];
}

interface Folder {
  kind: "folder";
  synced: Map<string, Node>;
  current: Map<string, Node>;
  pending: NameChange[];
}

type Node = File | Folder;

/** A folder as programs see it, and what of it is on the disk itself. */
export interface UnsyncedDisk {
  /** Does what a process noted that it did. */
  apply(note: Note): void;
  /** Paths at which the folder is not what the notes say it is. */
  differences(): string[];
  /** How many changes were not synced. */
  unsynced(): Unsynced;
  /** Writes into an empty folder what a power cut leaves: all that was synced, and of the rest what chance has brought to the disk. */
  writeAfterCut(target: string): void;
}

/** Changes of files and of names that are not on the disk yet. */
export interface Unsynced {
  writes: number;
  names: number;
}

/** What decides about a disk's changes. */
export interface DiskNature {
  /** Numbers from 0 to below 1: which changes get to the disk that nobody synced. */
  random(): number;
  /** Of what the disk obeys a sync; of both unless stated. */
  obeys?: (kind: "file" | "folder") => boolean;
}

/**
 * Reads a folder, all of which counts as synced. What POSIX doesn't promise is not assumed: a name is on the disk once its folder was
 * synced, and a file's bytes once the file was. Of a failed sync chance decides what is on the disk, and no later sync adds to that.
 */
export function readDisk(root: string, nature: DiskNature): UnsyncedDisk {
  const nodes = new Map<number, Node>();
  return diskOf(root, readFolder(root, nodes), nodes, nature);
}

/** The same for a folder as it was before anything was in it. */
export function emptyDisk(root: string, nature: DiskNature): UnsyncedDisk {
  const top = folderOf([]);
  return diskOf(root, top, new Map([[statSync(root).ino, top]]), nature);
}

function diskOf(root: string, top: Folder, nodes: Map<number, Node>, { random, obeys = () => true }: DiskNature): UnsyncedDisk {
  const syncs = new Map<number, number>();
  let count = 0;

  const nodeAt = (path: string): { folder: Folder; name: string } => {
    const steps = relative(root, path).split(sep);
    const name = steps.pop() ?? "";
    const folder = steps.reduce<Node | undefined>((node, step) => (node as Folder | undefined)?.current.get(step), top);
    if (folder?.kind !== "folder") throw new Error(`${path} is in no folder that the journal knows`);
    return { folder, name };
  };
  const rename = (...entries: [path: string, node: Node | undefined][]) => {
    const byFolder = Map.groupBy(
      entries.map(([path, node]) => ({ ...nodeAt(path), node })),
      ({ folder }) => folder,
    );
    for (const [folder, same] of byFolder) {
      const names = same.map(({ name, node }): [string, Node | undefined] => [name, node]);
      for (const entry of names) setName(folder.current, entry);
      folder.pending.push({ at: count, names });
    }
  };
  const change = (inode: number, made: FileChange) => {
    const file = nodes.get(inode);
    if (file?.kind !== "file") throw new Error(`a file was changed that the journal doesn't know`);
    applyChange(file.current, made);
    file.pending.push(made);
  };
  const settle = (inode: number, number: number, fate: () => boolean) => {
    const node = nodes.get(inode);
    if (node !== undefined && obeys(node.kind)) sync(node, syncs.get(number) ?? 0, fate);
  };

  const doing: Record<Note["change"], (note: Note, path: string, other: string) => void> = {
    write: ({ inode, number, payload }) => change(inode, { at: count, offset: number, bytes: payload }),
    truncate: ({ inode, number }) => change(inode, { at: count, length: number }),
    create({ inode }, path) {
      const file = fileOf(Buffer.alloc(0));
      nodes.set(inode, file);
      rename([path, file]);
    },
    mkdir({ inode }, path) {
      const folder = folderOf([]);
      nodes.set(inode, folder);
      rename([path, folder]);
    },
    link: ({ inode }, _, other) => rename([other, nodes.get(inode)]),
    rename: ({ inode }, path, other) => rename([path, undefined], [other, nodes.get(inode)]),
    remove: (_, path) => rename([path, undefined]),
    sync_begins: ({ number }) => void syncs.set(number, count),
    sync_ends: ({ inode, number }) => settle(inode, number, () => true),
    sync_fails: ({ inode, number }) => settle(inode, number, () => random() < 0.5),
  };

  return {
    apply(note) {
      count++;
      const [path = "", other = ""] = note.change === "write" ? [] : pathsOf(note);
      doing[note.change](note, path, other);
    },
    differences: () => differences(top, root),
    unsynced: () => {
      const all = [...new Set([top, ...nodes.values()])];
      const pendingOf = (kind: Node["kind"]) =>
        all.filter((node) => node.kind === kind).reduce((sum, { pending }) => sum + pending.length, 0);
      return { writes: pendingOf("file"), names: pendingOf("folder") };
    },
    writeAfterCut(target) {
      // Some power cuts come long after the last write was on its way, some before the first.
      const share = [0, 1, random()][Math.floor(random() * 3)] ?? 0;
      writeFolder(top, target, () => random() < share);
    },
  };
}

function readFolder(path: string, nodes: Map<number, Node>): Folder {
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

function folderOf(entries: [string, Node][]): Folder {
  return { kind: "folder", synced: new Map(entries), current: new Map(entries), pending: [] };
}

function fileOf(bytes: Buffer): File {
  const content = () => ({ bytes: Buffer.from(bytes), length: bytes.length });
  return { kind: "file", synced: content(), current: content(), pending: [] };
}

/** What was pending before `begun` reaches the disk where its fate is kind, sector by sector, and is pending no more. */
function sync(node: Node, begun: number, fate: () => boolean): void {
  const isDue = ({ at }: { at: number }) => at <= begun;
  if (node.kind === "file") {
    for (const change of node.pending.filter(isDue)) bringPartly(node.synced, change, fate);
    node.pending = node.pending.filter((change) => !isDue(change));
    return;
  }
  bringNames(node.synced, node.pending.filter(isDue), fate);
  node.pending = node.pending.filter((change) => !isDue(change));
}

/** File systems keep the order of the changes of a folder. */
function bringNames(names: Map<string, Node>, pending: NameChange[], fate: () => boolean): void {
  for (const change of pending) {
    if (!fate()) return;
    for (const entry of change.names) setName(names, entry);
  }
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

function applyChange(content: Content, change: FileChange): void {
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

function setName(names: Map<string, Node>, [name, node]: [string, Node | undefined]): void {
  if (node === undefined) names.delete(name);
  else names.set(name, node);
}

function writeFolder(folder: Folder, path: string, kept: () => boolean): void {
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

function differences(folder: Folder, path: string): string[] {
  const found = new Set(readdirSync(path));
  const missing = [...found].filter((name) => !folder.current.has(name)).map((name) => join(path, name));
  const others = [...folder.current].flatMap(([name, node]) => {
    const own = join(path, name);
    if (!found.has(name)) return [own];
    if (node.kind === "folder") return differences(node, own);
    return mapped.test(name) || readFileSync(own).equals(bytesOf(node.current)) ? [] : [own];
  });
  return [...missing, ...others];
}

const bytesOf = ({ bytes, length }: Content): Buffer => bytes.subarray(0, length);

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Note, pathsOf } from "./disk-journal.ts";
import {
  applyChange,
  bytesOf,
  type FileChange,
  type Folder,
  fileOf,
  folderOf,
  type Node,
  readFolder,
  setName,
  sync,
  syncNamesOf,
  writeFolder,
} from "./disk-nodes.ts";

/** Written through a mapping, which the journal doesn't see; SQLite makes it anew from the rest. */
const mapped = /-shm$/;

/** A folder as programs see it, and what of it is on the disk itself. */
export interface UnsyncedDisk {
  /** Does what a process noted that it did. */
  apply(note: Note): void;
  /** Paths at which the folder is not what the notes say it is. */
  differences(): string[];
  /** How many changes were not synced. */
  unsynced(): Unsynced;
  /**
   * Writes into an empty folder what a power cut leaves: all that was synced, and of the rest what chance has
   * brought to the disk.
   */
  writeAfterCut(target: string): void;
}

/** Changes of files and of names that are not on the disk yet. */
export interface Unsynced {
  writes: number;
  names: number;
}

/** What decides about a disk's changes. */
export interface DiskNature {
  /** Numbers from 0 to below 1: which changes get to the disk that nobody synced; always 0 is none. */
  random(): number;
  /** Of what, and until which moment of the journal, the disk obeys a sync; always unless stated. */
  obeys?: (kind: "file" | "folder", moment: number) => boolean;
  /**
   * A file's name is on the disk with the file: POSIX doesn't promise that, but ext4, XFS and btrfs do it.
   * Not unless stated.
   */
  names_with_files?: boolean;
}

/**
 * Reads a folder, all of which counts as synced. What POSIX doesn't promise is not assumed: a name is on the
 * disk once its folder was synced, and a file's bytes once the file was. Of the bytes of a failed sync chance
 * decides what is on the disk; no later sync adds to that.
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

function diskOf(root: string, top: Folder, nodes: Map<number, Node>, nature: DiskNature): UnsyncedDisk {
  const { random, obeys = () => true, names_with_files = false } = nature;
  const syncs = new Map<number, number>();
  let count = 0;

  const nodeAt = (path: string): { folder: Folder; name: string } => {
    const steps = relative(root, path).split(sep);
    const name = steps.pop() ?? "";
    const folder = steps.reduce<Node | undefined>(
      (node, step) => (node as Folder | undefined)?.current.get(step),
      top,
    );
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
    if (file?.kind !== "file") throw new Error("a file was changed that the journal doesn't know");
    applyChange(file.current, made);
    file.pending.push(made);
  };
  const settle = ({ inode, number, moment }: Note, fate: () => boolean) => {
    const node = nodes.get(inode);
    if (node === undefined || !obeys(node.kind, moment)) return;
    const begun = syncs.get(number) ?? 0;
    sync(node, begun, fate);
    if (names_with_files && node.kind === "file") syncNamesOf(node, foldersIn(top), begun);
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
    sync_ends: (note) => settle(note, () => true),
    sync_fails: (note) => settle(note, () => random() >= 0.5),
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

function* foldersIn(folder: Folder): Generator<Folder> {
  yield folder;
  for (const node of folder.current.values()) if (node.kind === "folder") yield* foldersIn(node);
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

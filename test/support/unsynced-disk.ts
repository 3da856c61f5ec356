import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Note, readPaths } from "./disk-journal.ts";
import {
  applyChange,
  createFile,
  createFolder,
  type FileChange,
  type Folder,
  type Node,
  readBytes,
  readFolder,
  setName,
  sync,
  syncNames,
  writeFolder,
} from "./disk-nodes.ts";

/** Written through a memory map, which the journal doesn't see; SQLite rebuilds it. */
const MAPPED_FILE = /-shm$/;

/** A folder as programs see it, and as it is on disk. */
export interface UnsyncedDisk {
  /** Replays a note. */
  apply(note: Note): void;
  /** Paths at which the real folder differs from the replayed notes. */
  differences(): string[];
  /** Counts the unsynced changes. */
  unsynced(): Unsynced;
  /** Writes the state that a power cut leaves to an empty folder: everything synced, and a random part of the rest. */
  writeAfterCut(target: string): void;
}

/** The number of changes of files and names that are not on disk yet. */
export interface Unsynced {
  writes: number;
  names: number;
}

/** A disk's treatment of changes. */
export interface DiskNature {
  /** Random numbers in [0, 1) that decide which unsynced changes reach the disk; always 0 means none. */
  random(): number;
  /** Whether the disk obeys a sync of this kind at this moment of the journal; by default always. */
  obeys?: (kind: "file" | "folder", moment: number) => boolean;
  /** Syncing a file also syncs its name, as ext4, XFS and btrfs do, though POSIX doesn't promise it; default no. */
  names_with_files?: boolean;
}

/**
 * Reads a folder, which counts as fully synced. It assumes only what POSIX promises: a name is on disk once its
 * folder was synced, and a file's bytes once the file was. After a failed sync a random part of the bytes is on
 * disk, and no later sync adds the rest.
 */
export function readDisk(root: string, nature: DiskNature): UnsyncedDisk {
  const nodes = new Map<number, Node>();
  return createDisk(root, readFolder(root, nodes), nodes, nature);
}

/** The same for a folder when it was still empty. */
export function emptyDisk(root: string, nature: DiskNature): UnsyncedDisk {
  const top = createFolder([]);
  return createDisk(root, top, new Map([[statSync(root).ino, top]]), nature);
}

function createDisk(root: string, top: Folder, nodes: Map<number, Node>, nature: DiskNature): UnsyncedDisk {
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
  const completeSync = ({ inode, number, moment }: Note, fate: () => boolean) => {
    const node = nodes.get(inode);
    if (node === undefined || !obeys(node.kind, moment)) return;
    const begun = syncs.get(number) ?? 0;
    sync(node, begun, fate);
    if (names_with_files && node.kind === "file") syncNames(node, walkFolders(top), begun);
  };

  const handlers: Record<Note["change"], (note: Note, path: string, other: string) => void> = {
    write: ({ inode, number, payload }) => change(inode, { at: count, offset: number, bytes: payload }),
    truncate: ({ inode, number }) => change(inode, { at: count, length: number }),
    create({ inode }, path) {
      const file = createFile(Buffer.alloc(0));
      nodes.set(inode, file);
      rename([path, file]);
    },
    mkdir({ inode }, path) {
      const folder = createFolder([]);
      nodes.set(inode, folder);
      rename([path, folder]);
    },
    link: ({ inode }, _, other) => rename([other, nodes.get(inode)]),
    rename: ({ inode }, path, other) => rename([path, undefined], [other, nodes.get(inode)]),
    remove: (_, path) => rename([path, undefined]),
    sync_begins: ({ number }) => void syncs.set(number, count),
    sync_ends: (note) => completeSync(note, () => true),
    sync_fails: (note) => completeSync(note, () => random() >= 0.5),
  };

  return {
    apply(note) {
      count++;
      const [path = "", other = ""] = note.change === "write" ? [] : readPaths(note);
      handlers[note.change](note, path, other);
    },
    differences: () => differences(top, root),
    unsynced: () => {
      const all = [...new Set([top, ...nodes.values()])];
      const pendingOf = (kind: Node["kind"]) =>
        all.filter((node) => node.kind === kind).reduce((sum, { pending }) => sum + pending.length, 0);
      return { writes: pendingOf("file"), names: pendingOf("folder") };
    },
    writeAfterCut(target) {
      // Some power cuts come long after the last write was sent to the disk, some before the first.
      const share = [0, 1, random()][Math.floor(random() * 3)] ?? 0;
      writeFolder(top, target, () => random() < share);
    },
  };
}

function* walkFolders(folder: Folder): Generator<Folder> {
  yield folder;
  for (const node of folder.current.values()) if (node.kind === "folder") yield* walkFolders(node);
}

function differences(folder: Folder, path: string): string[] {
  const found = new Set(readdirSync(path));
  const missing = [...found].filter((name) => !folder.current.has(name)).map((name) => join(path, name));
  const others = [...folder.current].flatMap(([name, node]) => {
    const own = join(path, name);
    if (!found.has(name)) return [own];
    if (node.kind === "folder") return differences(node, own);
    return MAPPED_FILE.test(name) || readFileSync(own).equals(readBytes(node.current)) ? [] : [own];
  });
  return [...missing, ...others];
}

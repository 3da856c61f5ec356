/**
 * Measures how core is built, and holds it to bounds: `node scripts/structure.ts` prints the figures and ends with 1
 * when one is out of its bound. Imports by name of another package end at its entrance.
 */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { ROOT } from "./run-command.ts";

const CORE = "packages/core/src/";
const ENTRANCE = `${CORE}index.ts`;

/** Limits that a reader can hold in mind; a change that needs more has to take something out first. */
export const BOUNDS = {
  /** Folders and files directly in `core/src`, tests aside. */
  rooms: 20,
  /** Files on the longest chain of imports within `core/src`, types included. */
  depth: 44,
  /** Files of code directly in one folder. */
  loose_files: 25,
  /** Lines of one file of code. */
  lines: 400,
  /** Values, functions and configuration types that `@letterslot/core` exports. */
  exports: 60,
};

/** Files that are one table of data each, so that their length is that of the data. */
const TABLES_OF_DATA = [
  "packages/adapter-postgres/src/schema.ts",
  "packages/adapter-sqlite/src/schema.ts",
  "packages/core/src/catalogue/errors.ts",
  "packages/core/src/catalogue/limits.ts",
  "packages/core/src/catalogue/signals.ts",
  "packages/core/src/model/tables.ts",
];
/** Folders whose files are alike, one for each record or command. */
const ALIKE = /\/(?:model|commands)$/;

export interface SourceFile {
  path: string;
  text: string;
}

/** The figures of a tree of files. */
export interface Structure {
  rooms: number;
  depth: number;
  depth_by_values: number;
  /** Files in the longest chain, from the top. */
  chain: string[];
  /** Files that import each other. */
  circles: string[];
  imports_per_file: number;
  files: number;
  lines: number;
  crowded: string[];
  long: string[];
  /** What `@letterslot/core` exports besides shapes of records, by name. */
  exports: string[];
}

/** All files of code of the packages, without tests. */
export function readSources(): SourceFile[] {
  return globSync("packages/*/src/**/*.ts", { cwd: ROOT })
    .filter((path) => !/\.(?:test|test-d|fixture|data)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(posix.join(ROOT, path), "utf8") }));
}

/** Measures a tree of files by their paths from the root of the repository. */
export function measure(sources: readonly SourceFile[]): Structure {
  const core = sources.filter(({ path }) => path.startsWith(CORE));
  const all = longestChain(core, importsOf);
  const values = longestChain(core, (file) => importsOf(file).filter(({ type_only }) => !type_only));
  const imports = core.reduce((sum, file) => sum + importsOf(file).length, 0);
  return {
    rooms: new Set(core.map(({ path }) => path.slice(CORE.length).split("/")[0])).size,
    depth: all.chain.length,
    depth_by_values: values.chain.length,
    chain: all.chain,
    circles: all.circles,
    imports_per_file: Math.round((100 * imports) / core.length) / 100,
    files: core.length,
    lines: core.reduce((sum, { text }) => sum + linesOf(text), 0),
    crowded: crowdedFolders(sources),
    long: sources
      .filter(({ path, text }) => linesOf(text) > BOUNDS.lines && !TABLES_OF_DATA.includes(path))
      .map(({ path, text }) => `${path}: ${linesOf(text)} lines`),
    exports: core.filter(({ path }) => path === ENTRANCE).flatMap(({ text }) => exportsOf(text)),
  };
}

/** Describes each exceeded limit in a sentence. */
export function problemsOf(structure: Structure): string[] {
  const { rooms, depth, chain, circles, crowded, long, exports } = structure;
  return [
    ...(rooms > BOUNDS.rooms ? [`core/src has ${rooms} rooms; ${BOUNDS.rooms} are the most.`] : []),
    ...(depth > BOUNDS.depth
      ? [
          `The longest chain of imports has ${depth} files; ${BOUNDS.depth} are the most: ${chain.join(" → ")}`,
        ]
      : []),
    ...circles.map((circle) => `Files import each other: ${circle}`),
    ...crowded.map(
      (folder) => `Too many files in one folder: ${folder}; ${BOUNDS.loose_files} are the most.`,
    ),
    ...long.map((file) => `Too long: ${file}; ${BOUNDS.lines} are the most.`),
    ...(exports.length > BOUNDS.exports
      ? [
          `@letterslot/core exports ${exports.length} values, functions and configuration types; ${BOUNDS.exports} are the most.`,
        ]
      : []),
    ...exports
      .filter((name) => name.startsWith("*"))
      .map((name) => `@letterslot/core exports ${name}: name what it exports.`),
  ];
}

interface Import {
  path: string;
  type_only: boolean;
}

/** The files that a file imports, dynamically too. */
function importsOf({ path, text }: SourceFile): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:([^;"]*?)\s+from\s+)?"(\.{1,2}\/[^"]+)"|\bimport\("(\.{1,2}\/[^"]+)"\)/gm,
  );
  return Array.from(statements, ([, type, names = "", specifier, dynamic]) => ({
    path: posix.join(posix.dirname(path), specifier ?? dynamic ?? ""),
    type_only: type !== undefined || /^\{(?:\s*type\s+[^,}]+,?)+\s*\}$/.test(names),
  }));
}

/** The longest chain of imports, from the file that imports to the one that is imported. */
function longestChain(files: readonly SourceFile[], edges: (file: SourceFile) => Import[]) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const next = new Map<string, { length: number; to: string | undefined }>();
  const circles: string[] = [];
  const open: string[] = [];
  const lengthFrom = (file: SourceFile): number => {
    const known = next.get(file.path);
    if (known !== undefined) return known.length;
    if (open.includes(file.path)) {
      circles.push([...open.slice(open.indexOf(file.path)), file.path].join(" → "));
      return 0;
    }
    open.push(file.path);
    let best = { length: 1, to: undefined as string | undefined };
    for (const { path } of edges(file)) {
      const target = byPath.get(path);
      if (target === undefined) continue;
      const length = 1 + lengthFrom(target);
      if (length > best.length) best = { length, to: path };
    }
    open.pop();
    next.set(file.path, best);
    return best.length;
  };
  for (const file of files) lengthFrom(file);
  const [top] = [...next].toSorted(([, a], [, b]) => b.length - a.length);
  const chain: string[] = [];
  for (let at = top?.[0]; at !== undefined; at = next.get(at)?.to) chain.push(at.slice(CORE.length));
  return { chain, circles };
}

function crowdedFolders(sources: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    const folder = posix.dirname(path);
    if (!ALIKE.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > BOUNDS.loose_files)
    .map(([folder, count]) => `${folder} (${count})`);
}

/** What a file exports besides the types of records, by name; `* of a file` where it exports all of one. */
function exportsOf(text: string): string[] {
  const statements = text.matchAll(
    /^export\s+(type\s+)?(?:\{([^}]*)\}|(\*))[^;"]*"([^"]+)"|^export\s+\w+\s+(\w+)/gm,
  );
  return Array.from(statements, ([, type, names = "", star, from = "", declared]) => {
    if (declared !== undefined) return [declared];
    if (star !== undefined) return [`* of ${from}`];
    if (type !== undefined && from.startsWith("./model/")) return [];
    return names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  }).flat();
}

const linesOf = (text: string): number => text.split("\n").length - 1;

if (import.meta.main) {
  const structure = measure(readSources());
  const { rooms, depth, depth_by_values, files, lines, imports_per_file, chain, exports } = structure;
  console.log({ rooms, depth, depth_by_values, files, lines, imports_per_file, exports: exports.length });
  console.log(`longest chain: ${chain.join(" → ")}`);
  const problems = problemsOf(structure);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

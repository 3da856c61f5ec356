import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The compiler and the settings of the whole workspace, seen from a package: tsup copies this code elsewhere. */
const COMPILER = "../../node_modules/ts7/bin/tsc";
const SETTINGS = "../../tsconfig.json";
/** The folder for build products besides `dist`; git and the checks ignore it. */
const FOLDER = ".types";

/** The declarations of a package's sources, one file for each source. */
interface Declarations {
  /** The absolute paths of the declarations, by source. */
  files: Record<string, string>;
  /** The locations of the declarations of `typesFrom`, as the compiler's option. */
  paths: Record<string, string[]>;
}

/**
 * Writes the declarations of a package's sources and all their imports. The native compiler takes a fifth of tsup's
 * time. Types are not checked here. `typesFrom` are packages whose types a program prints into the file named by its
 * argument; `replaced` contains, by source, the text of declarations that replaces the compiler's. Throws if the compiler
 * or a program fails.
 */
export function emitDeclarations(
  directory: string,
  sources: readonly string[],
  typesFrom: Record<string, string> = {},
  replaced?: () => Record<string, string>,
): Declarations {
  const folder = join(directory, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const printed = Object.entries(typesFrom).map(([name, program]) => {
    const file = `./${FOLDER}/${basename(name)}.ts`;
    execFileSync(process.execPath, [program, join(directory, file)], { stdio: "inherit" });
    return { name, file };
  });
  const emitted = (source: string): string => join(folder, source.replace(/\.tsx?$/, ".d.ts"));
  const pathsBy = (place: (file: string) => string): Record<string, string[]> =>
    Object.fromEntries(printed.map(({ name, file }) => [name, [place(file)]]));
  const project = {
    extends: join(directory, SETTINGS),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, noCheck: true },
      ...{ rootDir: directory, outDir: folder, paths: pathsBy((file) => join(directory, file)) },
    },
    include: [],
    files: sources.map((source) => join(directory, source)),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  execFileSync(process.execPath, [join(directory, COMPILER), "--project", folder], { stdio: "inherit" });
  for (const [source, text] of Object.entries(replaced?.() ?? {})) writeFileSync(emitted(source), text);
  return {
    files: Object.fromEntries(sources.map((source) => [source, emitted(source)])),
    paths: pathsBy(emitted),
  };
}

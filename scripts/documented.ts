import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run-command.ts";

/** The blocks of a page in a language, as they are written there. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return [...blocks].map(([, block = ""]) => block);
}

/** The lines of a block that a person types, without their comments. */
export const typedLines = (block: string): string[] =>
  block
    .split("\n")
    .map((line) => line.replace(/\s+# .*$/, "").trim())
    .filter((line) => line !== "");

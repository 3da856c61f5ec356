import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A page of the documentation: `docs/<name>.md` of the repository. */
export interface Guide {
  name: string;
  title: string;
  /** Its first sentence. */
  summary: string;
  markdown: string;
}

/** The list of the pages, for those who read the repository; the server makes its own. */
const INDEX = "index.md";

/** Beside the built code; in the repository, its own folder. */
const folder = (): URL => {
  const built = new URL("./guides/", import.meta.url);
  return existsSync(fileURLToPath(built)) ? built : new URL("../../../../docs/", import.meta.url);
};

/** Reads the guides, by name. Links between them lead to `url/guides/<name>.md`; others, which only the repository has, are text. */
export async function readGuides(url: string): Promise<Guide[]> {
  const files = (await readdir(folder())).filter((file) => file.endsWith(".md") && file !== INDEX).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder()), "utf8");
      return {
        name: file.slice(0, -".md".length),
        title: /^# (.+)$/m.exec(text)?.[1] ?? file,
        summary: firstSentence(text),
        markdown: withLinks(text, new Set(files), url),
      };
    }),
  );
}

/** The first sentence of the first paragraph, without markup. */
export function firstSentence(text: string): string {
  const paragraph = /^# .+\n+((?:[^\n#][^\n]*\n)+)/m.exec(text)?.[1] ?? "";
  const plain = paragraph
    .replace(/\n/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "")
    .trim();
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}

function withLinks(text: string, files: ReadonlySet<string>, url: string): string {
  return text.replace(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (link, image: string, label: string, target: string) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return link;
      const [file = "", anchor] = target.split("#");
      if (files.has(file))
        return `[${label}](${url}/guides/${file}${anchor === undefined ? "" : `#${anchor}`})`;
      return image === "" ? `${label} (\`${target.replace(/^(?:\.\.\/)+/, "")}\` in the repository)` : "";
    },
  );
}

import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** Where written pages are: `docs/*.md` and `docs/concepts/*.md` of the repository. */
export const WRITTEN = ["concepts", "guides"] as const;
export type Written = (typeof WRITTEN)[number];

/** A written page of the documentation. */
export interface Guide {
  kind: Written;
  name: string;
  title: string;
  /** Its first sentence. */
  summary: string;
  markdown: string;
}

/** The list of the pages, for those who read the repository; the server makes its own. */
const INDEX = "index.md";

/** In the repository; built, beside the code. */
const FOLDERS: Record<Written, string> = {
  guides: "../../../../docs/", // built: ./guides/
  concepts: "../../../../docs/concepts/", // built: ./concepts/
};
/** Not a URL: bundlers look for the file of a `new URL(…, import.meta.url)`, and these are folders. */
const folderOf = (kind: Written): string => join(dirname(fileURLToPath(import.meta.url)), FOLDERS[kind]);

/**
 * Reads the written pages, by name. Links between them lead to `url/guides/<name>.md` or `url/concepts/<name>.md`; others,
 * which only the repository has, are text. Pictures stay only with `pictures`.
 */
export async function readGuides(url: string, { pictures = false } = {}): Promise<Guide[]> {
  const files = await Promise.all(
    WRITTEN.map(async (kind) => {
      const names = (await readdir(folderOf(kind))).filter((file) => file.endsWith(".md") && file !== INDEX);
      return names.toSorted().map((file) => ({ kind, file }));
    }),
  );
  const known = new Map(files.flat().map((each) => [pathOf(each), `${url}/${each.kind}/${each.file}`]));
  return Promise.all(
    files.flat().map(async ({ kind, file }) => {
      const text = await readFile(join(folderOf(kind), file), "utf8");
      return {
        kind,
        name: file.slice(0, -".md".length),
        title: /^# (.+)$/m.exec(text)?.[1] ?? file,
        summary: firstSentence(text),
        markdown: withLinks(text, posix.dirname(pathOf({ kind, file })), known, pictures),
      };
    }),
  );
}

/** A page's path below `docs/`. */
const pathOf = ({ kind, file }: { kind: Written; file: string }): string =>
  kind === "guides" ? file : `${kind}/${file}`;

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

function withLinks(
  text: string,
  folder: string,
  known: ReadonlyMap<string, string>,
  pictures: boolean,
): string {
  return text.replace(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (link, image: string, label: string, target: string) => {
      if (/^(?:https?:|mailto:|#)/.test(target)) return link;
      if (image !== "") return pictures ? link : "";
      const [file = "", anchor] = target.split("#");
      const page = known.get(posix.join(folder, file));
      if (page !== undefined) return `[${label}](${page}${anchor === undefined ? "" : `#${anchor}`})`;
      return `${label} (\`${target.replace(/^(?:\.\.\/)+/, "")}\` in the repository)`;
    },
  );
}

import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SECTIONS, type Section } from "../../docs/.vitepress/contents.ts";
import { CODE_FONTS, FONTS, MARK_SVG, SHADOW, THEMES } from "../../packages/core/src/catalogue/look.ts";
import { type Guide, readGuides } from "../../packages/server/src/docs/guides.ts";
import { openApiDocument } from "../../packages/server/src/docs/openapi.ts";
import { groupPage } from "../../packages/server/src/docs/reference-markdown.ts";
import { SAMPLE_URL } from "../../packages/server/src/docs/serve-site.ts";
import {
  allPages,
  errorEntries,
  type SitePage,
  type SiteReference,
  siteReference,
} from "../../packages/server/src/docs/site-pages.ts";
import { drained } from "../../packages/server/src/docs/steps.ts";
import { VARIABLES } from "../../packages/server/src/process/variables.ts";
import { ROOT } from "../run-command.ts";

interface Item {
  text: string;
  link?: string;
  items?: Item[];
}

/** Returns every file of the site's sources, by path, as VitePress reads them: the guides, the printed reference, and what is beside them. */
export async function sitePages(): Promise<Map<string, string>> {
  const settings = Object.entries(VARIABLES).map(([name, variable]) => ({ name, ...variable }));
  const reference = drained(siteReference(openApiDocument(SAMPLE_URL), SAMPLE_URL, settings));
  const guides = await readGuides("..", { pictures: true });
  return new Map([
    ["index.md", frontPage()],
    ...guides.map(({ kind, name, markdown }) => [`${kind}/${name}.md`, markdown] as const),
    ...allPages(reference).map(({ name, markdown }) => [`reference/${name}.md`, markdown] as const),
    ["public/mark.svg", MARK_SVG],
    ["look.css", `${themeOf("light", ":root")}\n${themeOf("dark", ".dark")}\n`],
    ["contents.json", JSON.stringify({ nav: navigation(guides), sidebar: sidebarOf(guides, reference) })],
  ]);
}

/** Writes the pages into an empty folder, with the pictures of those that have some. */
export function writePages(pages: ReadonlyMap<string, string>, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const picture of pictures())
    copyFileSync(
      join(ROOT, picture),
      join(folder, picture.includes("concepts/") ? "concepts" : "guides", basename(picture)),
    );
}

/** The pictures of written pages, each beside them. */
export const pictures = (): string[] => [
  ...globSync("docs/*.svg", { cwd: ROOT }),
  ...globSync("docs/concepts/*.svg", { cwd: ROOT }),
];

/** The sections with all pages that are there: one that has no place yet is the last of the guides. Throws for a page that isn't there. */
function placed(guides: readonly Guide[]): Section[] {
  const listed = SECTIONS.flatMap(({ kind, pages, parts = [] }) =>
    [...pages, ...parts.flatMap((part) => part.pages)].map((name) => `${kind}/${name}`),
  );
  const written = guides.map(({ kind, name }) => `${kind}/${name}`);
  const missing = listed.filter((name) => !written.includes(name));
  if (missing.length > 0)
    throw new Error(`docs/.vitepress/contents.ts lists what isn't there: ${missing.join(", ")}`);
  return SECTIONS.map((section) => {
    const { kind, parts } = section;
    const others = guides.filter((guide) => guide.kind === kind && !listed.includes(`${kind}/${guide.name}`));
    if (parts === undefined || others.length === 0) return section;
    return { ...section, parts: [...parts, { title: "More", pages: others.map(({ name }) => name) }] };
  });
}

/** The product's colours as VitePress's variables. */
function themeOf(theme: "light" | "dark", selector: string): string {
  const { ink, soft, paper, sheet, line, accent, on_accent } = THEMES[theme];
  const shade = `color-mix(in srgb, ${accent} 14%, transparent)`;
  const variables = {
    ...{ "c-bg": sheet, "c-bg-alt": paper, "c-bg-elv": sheet, "c-bg-soft": paper },
    ...{ "c-text-1": ink, "c-text-2": soft, "c-text-3": soft, "c-divider": line, "c-gutter": line },
    ...{ "c-border": line, "code-color": accent, "code-block-bg": paper },
    ...{ "c-brand-1": accent, "c-brand-2": accent, "c-brand-3": accent, "c-brand-soft": shade },
    ...{ "button-brand-text": on_accent, "button-brand-hover-text": on_accent },
    ...{ "button-brand-active-text": on_accent, "home-hero-name-color": accent },
    ...{ "font-family-base": FONTS, "font-family-mono": CODE_FONTS, "shadow-1": SHADOW },
  };
  const lines = Object.entries(variables).map(([name, value]) => `  --vp-${name}: ${value};`);
  return `${selector} {\n${lines.join("\n")}\n}`;
}

function frontPage(): string {
  const action = (text: string, link: string, theme: string) => ({ theme, text, link });
  const feature = (title: string, details: string, link: string) => ({ title, details, link });
  const front = {
    layout: "home",
    // Its errors have pages that the search finds.
    search: false,
    hero: {
      name: "Letterslot",
      text: "Email for software agents",
      tagline:
        "Addresses of their own, a verdict on what may be trusted, tasks from the words of their owners, and a say for people in what leaves.",
      image: { src: "/mark.svg", alt: "" },
      actions: [
        action("Get started", "/guides/getting-started", "brand"),
        action("What it is", "/guides/what-it-is", "alt"),
        action("All operations", "/reference/operations", "alt"),
      ],
    },
    features: [
      feature(
        "Tasks you can trust",
        "Mail is data. Only the proven word of an owner is work.",
        "/concepts/trust",
      ),
      feature(
        "Nothing leaves unseen",
        "Whatever an agent sends is judged first; people decide the rest.",
        "/concepts/what-may-leave",
      ),
      feature(
        "A person decides",
        "Approvals show exactly what would be sent, and are bound to it.",
        "/concepts/approvals",
      ),
      feature(
        "Call it as you like",
        "HTTP, a typed client, a command line, MCP, or inside your program.",
        "/reference/operations",
      ),
    ],
  };
  const errors = errorEntries().map(
    ([code, text]) => `- [\`${code}\`](/reference/errors.md#${code}) ${text} {#${code}}`,
  );
  const yaml = Object.entries(front).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${yaml.join("\n")}\n---\n\n## Every error code\n\nThe \`docs_url\` of an error leads here; [errors by status](/reference/errors.md).\n\n${errors.join("\n")}\n`;
}

/** Every section of the documentation, by its first page. */
const navigation = (guides: readonly Guide[]): Item[] => {
  const [start, ...others] = sections(guides);
  return [
    ...[start, ...others.slice(0, -1)].map((section) => ({
      text: section?.text ?? "",
      link: firstLink(section),
    })),
    { text: "Reference", link: "/reference/operations" },
    { text: others.at(-1)?.text ?? "", link: firstLink(others.at(-1)) },
  ];
};

const firstLink = (item: Item | undefined): string =>
  item?.link ?? (item?.items === undefined ? "/" : firstLink(item.items[0]));

/** The sections of written pages, each page by its title. */
function sections(guides: readonly Guide[]): Item[] {
  const titles = new Map(guides.map(({ kind, name, title }) => [`${kind}/${name}`, title]));
  const items = (kind: string, names: readonly string[]): Item[] =>
    names.map((name) => ({ text: titles.get(`${kind}/${name}`) ?? name, link: `/${kind}/${name}` }));
  return placed(guides).map(({ title, kind, pages, parts = [] }) => ({
    text: title,
    items: [
      ...items(kind, pages),
      ...parts.map((part) => ({ text: part.title, items: items(kind, part.pages) })),
    ],
  }));
}

/** The sidebar by the beginning of a page's path, the longest first: a page of the reference has that of its group. */
function sidebarOf(guides: readonly Guide[], reference: SiteReference): Record<string, Item[]> {
  const { groups, events, lists } = reference;
  const itemOf = ({ title, name }: SitePage): Item => ({ text: title, link: `/reference/${name}` });
  const [operations, records, eventList, ...others] = lists.map(itemOf);
  const all: Item[] = [
    { ...operations, text: "Operations", items: groups.map(({ page }) => itemOf(page)) },
    { ...records, text: "Records" },
    { ...eventList, text: "Events", items: events.map(itemOf) },
    ...others.map((item) => ({ ...item, text: item.text })),
  ];
  const back: Item = { text: "All operations", link: "/reference/operations" };
  const ofGroups = groups.flatMap(({ page, operations: each }): [string, Item[]][] => {
    const items = [back, { text: page.title, link: `/reference/${page.name}`, items: each.map(itemOf) }];
    const tag = each[0]?.name.split(".")[0] ?? page.name;
    return [
      [`/reference/${groupPage(tag)}`, items],
      [`/reference/${tag}.`, items],
    ];
  });
  const written = sections(guides);
  return Object.fromEntries([
    ...ofGroups.toSorted(([a], [b]) => b.length - a.length),
    ["/reference/", all],
    [
      "/",
      [...written.slice(0, -1), { text: "Reference", link: "/reference/operations" }, ...written.slice(-1)],
    ],
  ]);
}

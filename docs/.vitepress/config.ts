import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTheme, defineConfig, type UserConfig } from "vitepress";
import { FILE, noticesOf } from "../../scripts/third-party-notices.ts";

const PAGES = join(import.meta.dirname, "pages");

/** What scripts/docs.ts found out as it wrote the pages. */
const { nav, sidebar } = JSON.parse(readFileSync(join(PAGES, "contents.json"), "utf8")) as {
  nav: DefaultTheme.NavItem[];
  sidebar: DefaultTheme.SidebarMulti;
};

/** Of the reference, the search knows titles and sentences: the fields of all operations would be most of its index. */
const searchedText = (path: string, text: string): string =>
  path.startsWith("reference/") ? text.replace(/^## (?:Request|Answer|Errors)\n[\s\S]*/m, "") : text;

/** The anchor of a heading, as the hosts of repositories make it: one link leads there in both places. */
const slugify = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** Writes the licences of the libraries in the browser's part beside it. */
const notices: NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number] = {
  name: "third-party-notices",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((each) =>
      each.type === "chunk" ? Object.keys(each.modules) : [],
    );
    const source = noticesOf(modules.map((id) => id.replace(/^\0/, "")));
    this.emitFile({ type: "asset", fileName: FILE, source });
  },
};

export default defineConfig({
  title: "Letterslot",
  description: "Email for software agents",
  lang: "en",
  base: "/docs/",
  srcDir: ".vitepress/pages",
  outDir: ".vitepress/dist",
  cleanUrls: true,
  // A server that the reader has started.
  ignoreDeadLinks: "localhostLinks",
  metaChunk: true,
  // The workspace's tsconfig.json names a target that this esbuild doesn't know.
  vite: { plugins: [notices], esbuild: { tsconfigRaw: "{}" }, build: { chunkSizeWarningLimit: 2_000 } },
  head: [
    ["meta", { name: "robots", content: "noindex" }],
    ["link", { rel: "icon", href: "/docs/mark.svg", type: "image/svg+xml" }],
  ],
  markdown: {
    html: false,
    linkify: false,
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    logo: "/mark.svg",
    nav,
    sidebar,
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        detailedView: false,
        _render(text, env, md) {
          const html = md.render(searchedText(env.relativePath, text), env);
          return env.frontmatter?.["search"] === false ? "" : html;
        },
      },
    },
  },
});

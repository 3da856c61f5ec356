import { type EnhanceAppContext, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, onMounted, watch } from "vue";
import { SYNONYMS } from "../synonyms.ts";
import "../pages/look.css";
import "./style.css";

/** A word of a search, and what the documentation calls it. */
function withSynonyms(term: string): string[] {
  const word = term.toLowerCase();
  return [word, ...(SYNONYMS[word] ?? [])];
}

/** Guides come before the reference, which says most words more often. */
const weightOf = (id: string): number => (id.includes("/reference/") ? 0.5 : 1);

/** What the layout needs of a browser; the workspace is compiled without the types of one. */
interface Browser {
  document: {
    getElementById(
      id: string,
    ): { setAttribute(name: string, value: string): void; removeAttribute(name: string): void } | null;
  };
}

/** The theme's layout, whose front page lacks a landmark for its content. */
const Layout = {
  setup() {
    const { frontmatter } = useData();
    const mark = () => {
      const { document } = globalThis as unknown as Browser;
      const content = document.getElementById("VPContent");
      if (frontmatter.value["layout"] === "home") content?.setAttribute("role", "main");
      else content?.removeAttribute("role");
    };
    onMounted(mark);
    watch(frontmatter, mark, { flush: "post" });
    return () => h(DefaultTheme.Layout);
  },
};

/** The default theme. A function in the site's data would be evaluated from text, which the policy forbids: it is set here. */
export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ siteData }: EnhanceAppContext): void {
    const { search } = siteData.value.themeConfig as { search: { options: Record<string, unknown> } };
    search.options["miniSearch"] = { searchOptions: { processTerm: withSynonyms, boostDocument: weightOf } };
  },
};

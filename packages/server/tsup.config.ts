import { buildOf } from "../../scripts/tsup-base.ts";

export default buildOf(import.meta.dirname, {
  bundleLibraries: "commonjs",
  computesData: true,
  copies: {
    guides: "../../docs/*.md",
    concepts: "../../docs/concepts/*.md",
    site: "../../docs/.vitepress/{site.pack,dist/THIRD-PARTY-NOTICES.txt}",
  },
});

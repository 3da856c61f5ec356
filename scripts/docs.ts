import { buildSite } from "./docs-site/build.ts";

const built = await buildSite();
console.log(built ? "docs/.vitepress/dist is built" : "docs/.vitepress/dist is up to date");

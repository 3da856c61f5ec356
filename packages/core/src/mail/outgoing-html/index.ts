export { showHidden } from "./characters.ts";
export { type CleanHtml, cleanHtml } from "./clean-html.ts";

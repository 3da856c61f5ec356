export { showHidden } from "./characters.ts";
export { type CleanHtml, cleanHtml } from "./clean-html.ts";
export { withoutComments } from "./style-sheets.ts";

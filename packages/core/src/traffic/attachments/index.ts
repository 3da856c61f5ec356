export { openFileLink } from "./links.ts";

export { openView } from "./open.ts";

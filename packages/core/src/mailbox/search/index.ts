export { parseQuery } from "./parse-query.ts";

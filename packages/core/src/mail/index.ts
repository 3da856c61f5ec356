/** What a thread needs that reads mail: without the operations, their schemas and the storage. */

export { parseMail, readAuthors } from "./parse.ts";
export { looksCostly, looksLong } from "./parse-cost.ts";
export { readContent, readMail } from "./read-mail.ts";

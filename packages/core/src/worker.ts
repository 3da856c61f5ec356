/** What a thread needs that reads mail: without the operations, their schemas and the storage. */

export { parseMail, readAuthors } from "./inbound/parse.ts";
export { looksCostly, looksLong } from "./inbound/parse-cost.ts";
export { readContent, readMail } from "./inbound/read-mail.ts";

/** What a thread needs that reads mail: without the operations, their schemas and the storage. */

export { parseMail, readAuthors } from "./inbound/parse.ts";
export { costOf, INLINE_BYTES } from "./inbound/parse-cost.ts";
export { type ReadMail, readMail } from "./inbound/read-mail.ts";

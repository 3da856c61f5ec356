import { randomBytes } from "node:crypto";
import { findWords } from "./packages/core/src/mail/redaction/find-words.ts";
for (let i = 0; i < 4; i++) { const t = randomBytes(18.2e6).toString("base64").replace(/.{76}/g, "$&\r\n"); const f = findWords(t); console.log("base64", f.length, f.slice(0, 3).map(({ start, end, secret }) => [JSON.stringify(t.slice(start, end)), secret])); const b = randomBytes(18.2e6).toString("latin1"); console.log("bytes", findWords(b).length); }

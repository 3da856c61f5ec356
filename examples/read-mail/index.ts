// Reads a raw mail without a service, a database or the network. Run it with `node index.ts [mail.eml]`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCodes, judgeMail, readMail, toSafety, UNKNOWN_SENDER } from "@letterslot/core/mail";

const path = process.argv[2] ?? join(import.meta.dirname, "sign-in.eml");

// Parses the mail, separates the new text from the quoted history, and screens the content for up to 1 s.
const OPTIONS = { screeningTimeoutMs: 1_000 };
const mail = await readMail(readFileSync(path), OPTIONS, () => performance.now());
const { from, subject, extraction, attachments, screened } = mail;
if (screened === null || "error" in screened) throw new Error("the mail could not be screened");

// Nobody checked the origin of this mail: that needs DNS (see @letterslot/adapter-smtp).
const { verdict, score, signals } = toSafety(judgeMail({ mail, sender: UNKNOWN_SENDER }, screened));

console.log(`from: ${from.map(({ name, address }) => `${name} <${address}>`).join(", ")}`);
console.log(`subject: ${subject}`);
console.log(`new text: ${extraction.extracted_text}`);
console.log(`safety: ${verdict} (${score} of 100) ${signals.map(({ detail }) => detail).join(" ")}`);
console.log(
  `codes: ${findCodes({ subject, text: extraction.extracted_text })
    .map(({ code }) => code)
    .join(", ")}`,
);
for (const { filename, content_type, bytes } of attachments)
  console.log(`attachment: ${filename} (${content_type}, ${bytes.length} bytes)`);

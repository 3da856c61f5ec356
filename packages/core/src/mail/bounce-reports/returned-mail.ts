import { REPORT_HEADER } from "../../catalogue/letter-words.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";

import { readMessageIds } from "../mime/message-ids.ts";
import { type Fields, fieldOf, readBlocks, reportText } from "./fields.ts";
import type { ReturnedMail } from "./report.ts";

const RETURNED_TYPES = [
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "text/rfc822-header",
  "message/global-headers",
];

/** Bytes read of the returned header: Message-ID and To are near the top. */
const MAX_HEADER_BYTES = 65_536;

/** Finds the header of the returned mail: in its part, or in the copy at the end of the text. */
export function returnedHeader(mail: Pick<ParsedMail, "attachments">, copy = ""): Fields | undefined {
  const part = mail.attachments.find(({ content_type }) => RETURNED_TYPES.includes(content_type));
  if (part !== undefined) return readBlocks(reportText(part.bytes.subarray(0, MAX_HEADER_BYTES)))[0];
  return readBlocks(copy).find((block) => block.has("message-id") || block.has("to"));
}

/** Reads the identification of the returned mail from its header. */
export function returnedMail(header: Fields | undefined): ReturnedMail {
  return {
    original_message_id: readMessageIds(fieldOf(header, "message-id"))[0] ?? null,
    report_header: fieldOf(header, REPORT_HEADER.toLowerCase()) || null,
  };
}

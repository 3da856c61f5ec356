import type { ParsedMail } from "../../model/parsed-mail.ts";

import { readMessageIds } from "../mime/message-ids.ts";
import { type Fields, fieldOf, readBlocks, reportText } from "./fields.ts";

const RETURNED_TYPES = [
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "text/rfc822-header",
  "message/global-headers",
];

/** Bytes read of the returned header: Message-ID and To are near the top. */
const MAX_HEADER_BYTES = 65_536;

/** The header of the returned mail: from its part, or from the copy at the end of the text. */
export function returnedHeader(mail: Pick<ParsedMail, "attachments">, copy = ""): Fields | undefined {
  const part = mail.attachments.find(({ content_type }) => RETURNED_TYPES.includes(content_type));
  if (part !== undefined) return readBlocks(reportText(part.bytes.subarray(0, MAX_HEADER_BYTES)))[0];
  return readBlocks(copy).find((block) => block.has("message-id") || block.has("to"));
}

/** The Message-ID of the returned mail with angle brackets, or null. */
export function returnedMessageId(header: Fields | undefined): string | null {
  return readMessageIds(fieldOf(header, "message-id"))[0] ?? null;
}

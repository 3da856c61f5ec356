import { type ScreenedSender, type ScreeningInput, UNKNOWN_SENDER } from "../src/mail/screening/screen.ts";
import type { ParsedMail } from "../src/model/parsed-mail.ts";

/** A mail from an unknown, unchecked sender; each test changes what it is about. */
export function screeningInput(
  change: { mail?: Partial<ParsedMail>; sender?: Partial<ScreenedSender> } = {},
): ScreeningInput {
  return {
    mail: {
      headers: [],
      from: [{ address: "ann@sender.example.com", name: "Ann Field" }],
      from_headers: 1,
      sender: null,
      reply_to: [],
      to: [{ address: "agent@inbox.test", name: "" }],
      cc: [],
      unaddressed: [],
      subject: "Hello",
      message_id: "<1@sender.example.com>",
      in_reply_to: null,
      references: [],
      date: null,
      text: "",
      html: null,
      attachments: [],
      content_bytes: 0,
      truncated: [],
      unverified_signature: false,
      ...change.mail,
    },
    sender: { ...UNKNOWN_SENDER, ...change.sender },
  };
}

/** An attachment with a name and the given first bytes, one per character. */
export function attached(
  filename: string,
  start = "",
  content_type = "application/octet-stream",
): ParsedMail["attachments"][number] {
  return {
    filename,
    content_type,
    content_id: null,
    disposition: "attachment",
    bytes: Uint8Array.from(start.padEnd(80, " "), (character) => character.charCodeAt(0)),
  };
}

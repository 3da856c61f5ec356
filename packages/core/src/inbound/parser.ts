import type { MailParser } from "../ports/mail-parser.ts";
import { parseMail } from "./parse.ts";

/** Reads mail on the calling thread: the default, for embedders whose mail is tame. */
export const parseInline: MailParser["parse"] = (raw) => parseMail(raw);

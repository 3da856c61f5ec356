/** Reads mail: no service, no storage, no network. Every function is pure and linear in the mail's size. */

export type * from "../model/parsed-mail.ts";
export type { AnswerValue, Question } from "../model/questions.ts";
export type * from "../model/read-mail.ts";
export type { ContentFindings, Finding, Safety, ScreeningResult } from "../model/screening.ts";
export type * from "../model/sender-facts.ts";
export * from "./annotated-view/index.ts";
export { readAnswer } from "./answers/read-answer.ts";
export { type ApprovalReading, readApprovalReply } from "./answers/read-approval.ts";
export { cleanFilename, downloadHeaders, textKind } from "./attachments.ts";
export { classifyRefusal, type Refusal, type RefusalVerdict } from "./bounce-reports/classify.ts";
export { statusOf } from "./bounce-reports/implied-status.ts";
export { type ReportMail, readReport } from "./bounce-reports/read-report.ts";
export type { MailReport, ReportedRecipient } from "./bounce-reports/report.ts";
export { type FoundCode, findCodes } from "./codes/find-codes.ts";
export { type FoundLink, findLinks } from "./codes/find-links.ts";
export { runContentTask } from "./content-tasks.ts";
export { mailboxesInLines } from "./mailbox-lines.ts";
export { decodeCharset } from "./mime/charset.ts";
export { type CleanHtml, cleanHtml, showHidden } from "./outgoing-html/index.ts";
export { parseMail, readAuthors } from "./parse.ts";
export { looksCostly, looksLong } from "./parse-cost.ts";
export { readContent, readMail } from "./read-mail.ts";
export {
  type ExtractableMail,
  extractNewText,
  htmlToText,
  previewOf,
  type Sender,
} from "./reply-extraction/extract.ts";
export {
  judgeMail,
  type ScreenedSender,
  type ScreeningInput,
  SUSPICIOUS_FROM,
  screenContent,
  screenMail,
  toSafety,
  UNKNOWN_SENDER,
} from "./screening/screen.ts";
export { authenticateSender, type SenderAuthentication } from "./sender/authentication.ts";

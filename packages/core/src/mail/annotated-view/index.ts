export { type AttachedMail, attachedBlocks } from "./attached-mails.ts";
export { type MailToMark, type MarkedBlock, markedBlocks } from "./blocks.ts";
export { cleanLine, cleanText, framed, newMark, quoteLine } from "./frame.ts";
export { type MarkedMail, type MarkedPart, type MarkedView, markedView } from "./view.ts";

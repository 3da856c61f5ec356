export { PICTURE_MARK } from "./pictures.ts";
export { attachedUrl } from "./rules.ts";
export { type MailToShow, type ShownMail, showMail } from "./show-mail.ts";

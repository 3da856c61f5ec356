export { type MailToShow, type ShownMail, showMail } from "./show-mail.ts";

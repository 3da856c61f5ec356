export { inlineParser } from "./parser.ts";
export { sendPostmasterLetter } from "./postmaster.ts";
export {
  acceptsRecipient,
  type ReceivedMail,
  type ReceiveReport,
  type RecipientReport,
  receiveMail,
} from "./receive.ts";
export { type ReceivedCallback, receiveTelephonyCallback } from "./receive-callback.ts";

export type { ReceivedCallback } from "./callback-outcome.ts";
export { inlineParser } from "./parser.ts";
export { sendPostmasterLetter } from "./postmaster.ts";
export {
  acceptsRecipient,
  type ReceivedMail,
  type ReceiveReport,
  type RecipientReport,
  receiveMail,
} from "./receive.ts";
export { receiveTelephonyCallback } from "./receive-callback.ts";
export { addWaitingTranscript, fetchRecording } from "./recording-jobs.ts";

export type { ReceivedCallback } from "./callback-outcome.ts";
export { acceptsRecipient, type RecipientReport } from "./destination.ts";
export { inlineParser } from "./parser.ts";
export { sendPostmasterLetter } from "./postmaster.ts";
export {
  type ReceivedMail,
  type ReceiveReport,
  receiveMail,
} from "./receive.ts";
export { receiveTelephonyCallback } from "./receive-callback.ts";
export { addWaitingTranscript, fetchRecording } from "./recording-jobs.ts";

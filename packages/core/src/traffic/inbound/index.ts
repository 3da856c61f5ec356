export { acceptsRecipient, type RecipientReport } from "./destination.ts";
export type { ReceivedMail } from "./evidence.ts";
export type { ReceivedCallback } from "./phone/callback-outcome.ts";
export { receiveTelephonyCallback } from "./phone/receive-callback.ts";
export { addWaitingTranscript, fetchRecording } from "./phone/recording-jobs.ts";
export { sendPostmasterLetter } from "./postmaster.ts";
export { inlineParser } from "./reading/parser.ts";
export { type ReceiveReport, receiveMail } from "./receive.ts";
export { releaseApproved } from "./release.ts";

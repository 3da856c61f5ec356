export { scheduleNotes, sendNotes } from "./send-job.ts";
export { accountByToken } from "./token.ts";

export { scheduleNotes } from "./schedule.ts";
export { sendNotes } from "./send-job.ts";

export { sendRecoveryNotice } from "./send-notice.ts";
export { sendRecoveryLetter } from "./send-recovery-letter.ts";

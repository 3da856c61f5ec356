export { sendRecoveryLetter, sendRecoveryNotice } from "./send-letters.ts";

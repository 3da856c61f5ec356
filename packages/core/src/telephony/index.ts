export { finishBuying } from "./buy-number.ts";
export { type CallChange, changeCallStatus, notePlaced, recordCallStatus } from "./call-status.ts";
export { checkPhoneRecipient } from "./check-recipient.ts";
export { findActiveNumber, findInboxByNumber } from "./find.ts";
export { type Keyword, keywordOf, keywordReply } from "./keywords.ts";
export { checkCallAllowance, queueCall } from "./queue-call.ts";
export { queueText, type TextRequest } from "./queue-text.ts";
export { giveBackErased, giveNumberBack, releaseNumberOf } from "./release-number.ts";
export { checkReachable } from "./rules.ts";
export { segmentsOf } from "./segments.ts";
export { settleCall } from "./settle-call.ts";
export { changeTextStatus, recordSmsStatus, type TextOutcome } from "./sms-status.ts";
export {
  findPhoneThread,
  type StoredPhoneMessage,
  storePhoneMessage,
} from "./store-phone-message.ts";

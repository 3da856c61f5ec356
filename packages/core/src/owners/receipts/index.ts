export { issueReceipt, issueSentReceipt } from "./issue.ts";
export { type Claims, claimsOf } from "./jws.ts";
export { type ReceiptKey, receiptKeys, rotateReceiptKey } from "./keys.ts";
export { dkimEvidence } from "./rules.ts";

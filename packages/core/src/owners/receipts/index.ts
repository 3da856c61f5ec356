export { issueReceipt, issueSentReceipt, newSalt } from "./issue.ts";
export { type Claims, claimsOf } from "./jws.ts";
export { type ReceiptKey, receiptKeys, rotateReceiptKey } from "./keys.ts";
export { dkimEvidence, statementOf } from "./rules.ts";

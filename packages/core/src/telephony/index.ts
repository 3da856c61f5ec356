export { findActiveNumber, findInboxByNumber } from "./find.ts";
export { type PhoneMessage, type StoredPhoneMessage, storePhoneMessage } from "./store-phone-message.ts";

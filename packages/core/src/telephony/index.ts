export { findActiveNumber, findInboxByNumber } from "./find.ts";

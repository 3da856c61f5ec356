export { expireExpectation } from "./expire.ts";
export { findExpected, mayExpect, meetExpectation, NOTHING_EXPECTED } from "./meet.ts";
export { isOwnForm } from "./rules.ts";

export { checkCanaries, checkTexts } from "./check.ts";
export { findCanaries } from "./find.ts";
export { trippedFault } from "./rules.ts";

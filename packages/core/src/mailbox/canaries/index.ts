export { checkCanaries, checkTexts } from "./check.ts";
export { findCanaries } from "./find.ts";
export { checkNotTripped } from "./rules.ts";

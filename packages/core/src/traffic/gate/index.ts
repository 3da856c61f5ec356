export { checkWords } from "./check-words.ts";
export type { Leaving, Sender } from "./gather.ts";
export { passGate } from "./pass.ts";

export { checkWords } from "./check-words.ts";
export { faultOf } from "./gather.ts";
export { rememberableIn } from "./gather-outbound.ts";
export { knownAmong } from "./known.ts";
export type { Leaving } from "./leaving.ts";
export {
  hashesOfWords,
  mentionHashes,
  mentionRecords,
  noteFileText,
  notesMentions,
  outsideWordsOf,
} from "./mentions.ts";
export { checkStillJudged, type Judgement, judgeLeaving, passGate } from "./pass.ts";
export type { LateFacts } from "./rules.ts";

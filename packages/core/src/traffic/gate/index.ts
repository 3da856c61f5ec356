export { checkWords } from "./check-words.ts";
export { carriedBy } from "./elsewhere.ts";
export { faultOf, type Leaving, type Sender } from "./gather.ts";
export { mentionHashes, mentionRecords, notesMentions, outsideWordsOf } from "./mentions.ts";
export { type Asking, checkStillJudged, type Judgement, judgeLeaving, passGate } from "./pass.ts";
export type { LateFacts } from "./rules.ts";

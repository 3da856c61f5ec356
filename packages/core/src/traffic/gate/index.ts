export { checkWords } from "./check-words.ts";
export { carriedBy } from "./elsewhere.ts";
export type { Leaving, Sender } from "./gather.ts";
export { mentionHashes, mentionRecords, notesMentions, outsideWordsOf } from "./mentions.ts";
export { type Asking, checkStillJudged, type Judgement, judgeLeaving, passGate } from "./pass.ts";

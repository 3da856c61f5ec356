export { type Flushed, flushAll } from "./digests/flush.ts";
export { sendDueDigest } from "./digests/send-job.ts";
export { actOnAnswer } from "./questions/act-on-reply.ts";
export { expireQuestion } from "./questions/close.ts";
export { questionByToken } from "./questions/find.ts";
export { type MatchedAnswer, matchAnswer, type ReadReply } from "./questions/match-answer.ts";
export { withoutWords } from "./questions/rules.ts";
export { withDeliveries } from "./show.ts";

export { fillEvents } from "./fill-events.ts";
export { raiseFloor } from "./floor.ts";
export { readFeed, waitForFeed } from "./read.ts";
export { AfterInput, type FeedFilter, FeedWait, TypesInput } from "./rules.ts";
export { showPage } from "./show.ts";
export { newestSequence, resolveStart } from "./start.ts";
export type { StreamItem } from "./stream.ts";
export { taskStream } from "./task-stream.ts";

export { fillEvents } from "./fill-events.ts";
export { readFeed, waitForFeed } from "./read.ts";
export { AfterInput, type FeedFilter, FeedWait, TypesInput } from "./rules.ts";
export { showFilled, showPage } from "./show.ts";
export { newestSequence, raiseFloor, resolveStart } from "./start.ts";
export type { StreamItem } from "./stream.ts";

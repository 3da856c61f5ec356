export { readFeed } from "./read.ts";
export type { FeedFilter } from "./rules.ts";
export { raiseFloor } from "./start.ts";
export type { StreamItem } from "./stream.ts";

export * from "./blobs-kit.ts";
export type { Kit, Opened, TestFunction } from "./kit.ts";
export * from "./queue-kit.ts";
export { createRandom, type SeededRandom } from "./seeded-random.ts";
export * from "./signals-kit.ts";
export type { OpenedStorage } from "./storage/opened.ts";
export * from "./storage-kit.ts";
export * from "./storage-model-kit.ts";
export * from "./transport-kit.ts";

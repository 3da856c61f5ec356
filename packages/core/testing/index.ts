export * from "./manual-clock.ts";
export * from "./memory-blobs.ts";
export * from "./memory-queue.ts";
export * from "./memory-signals.ts";
export * from "./memory-storage.ts";
export * from "./memory-transport.ts";

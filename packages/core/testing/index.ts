export * from "./build-mail.ts";
export * from "./let-in-app.ts";
export * from "./manual-clock.ts";
export * from "./memory-blobs.ts";
export * from "./memory-storage.ts";
export * from "./memory-transport.ts";
export * from "./memory-webhook-http.ts";
export * from "./service.ts";
export { recycleTestStorage, useTestStorage } from "./test-storage.ts";

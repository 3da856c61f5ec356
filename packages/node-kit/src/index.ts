/** Helpers for Node that several packages need; the build puts them into each. */
export { type BoundedMap, createBoundedMap } from "./bounded-map.ts";
export { freeBytes } from "./free-bytes.ts";
export { createKeptWorkers } from "./kept-workers.ts";
export { withTimeout } from "./with-timeout.ts";
export { workerEnvironment } from "./worker-environment.ts";

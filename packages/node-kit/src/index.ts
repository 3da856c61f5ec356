/** What several packages need on Node; the build puts it into each of them. */
export { type BoundedMap, createBoundedMap } from "./bounded-map.ts";
export { freeBytes } from "./free-bytes.ts";
export { createKeptWorkers } from "./kept-workers.ts";
export { withTimeout } from "./with-timeout.ts";
export { workerEnvironment } from "./worker-environment.ts";

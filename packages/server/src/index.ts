export { openApiDocument } from "./docs/openapi.ts";
export { type AppOptions, createApp } from "./http/app.ts";
export { createMetrics, type Metrics } from "./http/metrics.ts";
export type { CapturedMail } from "./internal/outbox.ts";
export type { ServerEnv } from "./request/context.ts";

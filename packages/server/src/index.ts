export { createServer, type ServerOptions } from "./app.ts";
export type { ServerEnv } from "./context.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { openApiDocument } from "./openapi.ts";
export type { CapturedMail } from "./pages/outbox.ts";

import type { Metric } from "./metric.ts";
import { against } from "./metrics/against.ts";
import { api } from "./metrics/api.ts";
import { callers } from "./metrics/callers.ts";
import { cli } from "./metrics/cli.ts";
import { client } from "./metrics/client.ts";
import { consoleView } from "./metrics/console.ts";
import { evidence } from "./metrics/evidence.ts";
import { exportAndImport } from "./metrics/export.ts";
import { felt } from "./metrics/felt.ts";
import { footprint } from "./metrics/footprint.ts";
import { growth } from "./metrics/growth.ts";
import { ingest3k, ingest100k } from "./metrics/ingest.ts";
import { latency } from "./metrics/latency.ts";
import { list } from "./metrics/list.ts";
import { mcp } from "./metrics/mcp.ts";
import { neighbour } from "./metrics/neighbour.ts";
import { phone } from "./metrics/phone.ts";
import { postgres } from "./metrics/postgres.ts";
import { postgresGrowth } from "./metrics/postgres-growth.ts";
import { postgresProcesses } from "./metrics/postgres-processes.ts";
import { receivers } from "./metrics/receivers.ts";
import { search } from "./metrics/search.ts";
import { stack } from "./metrics/stack.ts";
import { sync } from "./metrics/sync.ts";
import { uploads } from "./metrics/uploads.ts";
import { wakeUp } from "./metrics/wake-up.ts";
import { webhooks } from "./metrics/webhooks.ts";

/** Every metric, by the name for `pnpm bench NAME`. */
export const METRICS: Record<string, Metric> = {
  felt,
  stack,
  "ingest-3k": ingest3k,
  "ingest-100k": ingest100k,
  against,
  evidence,
  growth,
  list,
  search,
  webhooks,
  receivers,
  latency,
  "wake-up": wakeUp,
  api,
  callers,
  mcp,
  sync,
  neighbour,
  uploads,
  phone,
  postgres,
  "postgres-growth": postgresGrowth,
  "postgres-processes": postgresProcesses,
  export: exportAndImport,
  footprint,
  client,
  console: consoleView,
  cli,
};

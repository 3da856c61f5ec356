import type { Metric } from "./metric.ts";
import { api } from "./metrics/api.ts";
import { client } from "./metrics/client.ts";
import { footprint } from "./metrics/footprint.ts";
import { ingest100k, ingest3k } from "./metrics/ingest.ts";
import { growth, list, search } from "./metrics/reading.ts";
import { webhooks } from "./metrics/webhooks.ts";

/** Every metric, by the name that `pnpm bench NAME` takes. */
export const metrics: Record<string, Metric> = {
  "ingest-3k": ingest3k,
  "ingest-100k": ingest100k,
  growth,
  list,
  search,
  api,
  webhooks,
  footprint,
  client,
};

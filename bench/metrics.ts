import type { Metric } from "./metric.ts";
import { ingest100k, ingest3k } from "./metrics/ingest.ts";

/** Every metric, by the name that `pnpm bench NAME` takes. */
export const metrics: Record<string, Metric> = {
  "ingest-3k": ingest3k,
  "ingest-100k": ingest100k,
};

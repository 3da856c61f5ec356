import { withCleanup } from "../measure/cleanup.ts";
import { startDurablePostgres } from "../measure/postgres-database.ts";
import type { Metric } from "../metric.ts";
import { postgresIngest } from "./postgres-ingest.ts";
import { postgresReading } from "./postgres-reading.ts";
import { postgresWebhooks } from "./postgres-webhooks.ts";

/** The service on PostgreSQL. */
export const postgres: Metric = {
  title:
    "Receiving mail, lists, search and webhooks on PostgreSQL, 16 concurrently, against single statements",
  measure: (run) =>
    withCleanup(async (cleanups) => {
      const server = await startDurablePostgres();
      cleanups.push(server.end);
      const parts = [
        await postgresIngest(run, server.url),
        await postgresReading(run),
        await postgresWebhooks(run, server.url),
      ];
      return {
        figures: parts.flatMap(({ figures }) => figures),
        notes: parts.flatMap(({ notes = [] }) => notes),
      };
    }),
};

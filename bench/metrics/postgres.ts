import { ownPostgres } from "../../test/support/postgres-server.ts";
import { withEnds } from "../measure/temporary-folder.ts";
import type { Metric } from "../metric.ts";
import { postgresIngest } from "./postgres-ingest.ts";
import { postgresReading } from "./postgres-reading.ts";
import { postgresWebhooks } from "./postgres-webhooks.ts";

/** The service on PostgreSQL. */
export const postgres: Metric = {
  title: "Taking mail in, lists, search and webhooks on PostgreSQL, 16 at a time, against single statements",
  measure: (run) =>
    withEnds(async (ends) => {
      const server = await ownPostgres();
      ends.push(server.end);
      const parts = [
        await postgresIngest(run, server.url),
        await postgresReading(run, server.url),
        await postgresWebhooks(run, server.url),
      ];
      return {
        figures: parts.flatMap(({ figures }) => figures),
        notes: parts.flatMap(({ notes = [] }) => notes),
      };
    }),
};

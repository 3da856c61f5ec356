import type { ReadDomainReport } from "@letterslot/core/ports";
import { z } from "zod";

const MAX_COUNT = 1_000_000_000_000;
const MAX_FAILURES = 50;
const Count = z.int().min(0).max(MAX_COUNT);

/** A TLS report as far as it is read (RFC 8460, section 4.4). */
const Report = z.object({
  "report-id": z.string().min(1).max(1_000),
  "date-range": z.object({
    "start-datetime": z.iso.datetime({ offset: true }),
    "end-datetime": z.iso.datetime({ offset: true }),
  }),
  policies: z
    .array(
      z.object({
        policy: z.object({ "policy-domain": z.string().min(1).max(255) }),
        summary: z.object({
          "total-successful-session-count": Count,
          "total-failure-session-count": Count,
        }),
        "failure-details": z
          .array(
            z.object({
              "result-type": z.string().regex(/^[a-z0-9-]{1,64}$/),
              "failed-session-count": Count,
            }),
          )
          .max(10_000)
          .default([]),
      }),
    )
    .min(1)
    .max(100),
});

/** Reads a TLS report about one domain. Fails for anything else. */
export function readTlsReport(json: string): ReadDomainReport {
  const { policies, ...report } = Report.parse(JSON.parse(json));
  const domains = new Set(policies.map(({ policy }) => policy["policy-domain"].toLowerCase()));
  const [domain = "", ...others] = domains;
  if (others.length > 0) throw new Error("a report about several domains");
  const failures = new Map<string, number>();
  for (const detail of policies.flatMap((each) => each["failure-details"])) {
    const type = detail["result-type"];
    failures.set(type, (failures.get(type) ?? 0) + detail["failed-session-count"]);
  }
  const sum = (name: "total-successful-session-count" | "total-failure-session-count") =>
    policies.reduce((total, { summary }) => total + summary[name], 0);
  const range = report["date-range"];
  return {
    kind: "tls",
    report_id: report["report-id"],
    domain,
    period: { from: utc(range["start-datetime"]), to: utc(range["end-datetime"]) },
    sources: [],
    sources_left_out: 0,
    tls: {
      successful: sum("total-successful-session-count"),
      failed: sum("total-failure-session-count"),
      failures: [...failures].slice(0, MAX_FAILURES).map(([type, count]) => ({ type, count })),
    },
  };
}

const utc = (time: string): string => new Date(time).toISOString();

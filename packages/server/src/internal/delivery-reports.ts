import { LIMITS } from "@letterslot/core";
import { failureOf, RelayReport, sameSecret } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { z } from "zod";
import { PUBLIC_BODY_BYTES, readJson } from "../request/body.ts";
import { bearerToken } from "../request/caller.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

const PATH = "/api/v1/internal/delivery-reports";

const Reports = z.strictObject({ reports: z.array(RelayReport).min(1).max(LIMITS.relay_reports) });

/**
 * Mounts `POST /api/v1/internal/delivery-reports`: what the relay that SMTP_URL names reports of mail handed to it, as an
 * adapter of the operator's passes it on. Bearer REPORTS_SECRET authorizes it; without one the path is 404.
 */
export function mountDeliveryReports(
  app: Hono<ServerEnv>,
  { letterslot }: ServerState,
  secret: string | undefined,
): void {
  if (secret === undefined) return;
  app.post(PATH, async (c) => {
    if (!sameSecret(bearerToken(c.req.header("authorization")) ?? "", secret))
      throw fail("invalid_operator_secret");
    const input = await readJson(c, PUBLIC_BODY_BYTES);
    const parsed = Reports.safeParse(input);
    if (!parsed.success) throw failureOf(parsed.error, { schema: Reports, value: input });
    const taken = await letterslot.takeRelayReports(parsed.data.reports);
    return c.json({ object: "delivery_reports", ...taken });
  });
  refuseOtherMethods(app, PATH);
}

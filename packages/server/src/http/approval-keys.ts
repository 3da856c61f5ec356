import type { Hono } from "hono";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

const PATH = "/.well-known/approval-keys.json";

/** The seconds for which a program may use the keys that it has read: a new key is known everywhere after that. */
const FRESH_SECONDS = 300;

/** Mounts the public keys of receipts: for anybody, from any page. If BASE_URL has a path, also before that path. */
export function mountApprovalKeys(app: Hono<ServerEnv>, { letterslot }: ServerState): void {
  const inserted = new URL(letterslot.services.options.baseUrl).pathname.replace(/\/$/, "");
  for (const path of new Set([PATH, `${PATH}${inserted}`])) {
    app.get(path, async () => {
      const headers = { "access-control-allow-origin": "*", "cache-control": `max-age=${FRESH_SECONDS}` };
      return Response.json({ keys: await letterslot.operator.approvalKeys.list() }, { headers });
    });
    refuseOtherMethods(app, path);
  }
}

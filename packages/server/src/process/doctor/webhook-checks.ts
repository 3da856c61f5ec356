import { once } from "node:events";
import { connect } from "node:net";
import type { WebhookHttp } from "@letterslot/core/ports";
import { type Finding, failed, ok, reasonOf, warning } from "./checks.ts";

/** A webhook as far as its receiver is looked at. */
export interface LookedAt {
  id: string;
  url: string;
  enabled: boolean;
  consecutive_failures: number;
}

/** The most that are looked at; the newest. */
export const MAX_WEBHOOKS = 20;
const MAX_BYTES = 65_536;

/**
 * Checks whether the receivers of webhooks can be reached: by a connection, over https with its certificate. Nothing is
 * posted. One receiver that is down is its owner's matter; if all are, it is ours.
 */
export async function examineWebhooks(
  webhooks: readonly LookedAt[],
  http: Pick<WebhookHttp, "refusal" | "get">,
  each_ms: number,
): Promise<Finding> {
  const enabled = webhooks.filter((webhook) => webhook.enabled).slice(0, MAX_WEBHOOKS);
  if (enabled.length === 0) return ok("There is no webhook.");
  const troubles = await Promise.all(enabled.map(({ url }) => troubleOf(url, http, each_ms)));
  const down = enabled.flatMap(({ id, url, consecutive_failures }, index) =>
    troubles[index] === undefined
      ? []
      : [`${id} (${new URL(url).host}, ${consecutive_failures} failures in a row): ${troubles[index]}`],
  );
  if (down.length === 0)
    return ok(
      enabled.length === 1
        ? "The webhook's receiver can be reached."
        : `The receivers of ${enabled.length} webhooks can be reached.`,
    );
  const says = `${down.length} of ${enabled.length} receivers of webhooks can't be reached: ${down.join("; ")}.`;
  const fix =
    "Start the receiver, or change or delete the webhook. WEBHOOK_ALLOW lets them be in private networks.";
  return down.length === enabled.length ? failed(says, fix) : warning(says, fix);
}

async function troubleOf(
  url: string,
  http: Pick<WebhookHttp, "refusal" | "get">,
  timeout_ms: number,
): Promise<string | undefined> {
  const refusal = http.refusal(url);
  if (refusal !== null) return refusal;
  if (url.startsWith("https:")) {
    const { error } = await http.get({ url, max_bytes: MAX_BYTES, timeout_ms });
    // A receiver may answer a GET with anything, also at length.
    return error === null || /too long/i.test(error) ? undefined : error;
  }
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    timeout: timeout_ms,
  });
  socket.once("timeout", () =>
    socket.destroy(Object.assign(new Error("it doesn't answer"), { code: "ETIMEDOUT" })),
  );
  try {
    await once(socket, "connect");
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    socket.destroy();
  }
}

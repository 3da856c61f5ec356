import type { CallOptions } from "@letterslot/client";
import type { Connection, Context } from "../frame/context.ts";

type AnyCall = (input: Record<string, unknown>, options: CallOptions) => unknown;

/**
 * Calls an operation by its name. A list is a page that iterates over all its items, a stream iterates over events,
 * a download has bytes. `request_id` makes that a repeated call has no second effect; without one the client's own
 * retries act once.
 */
export function invoke(
  { client }: Pick<Connection, "client">,
  { signal }: Pick<Context, "signal">,
  name: string,
  input: Record<string, unknown>,
  request_id?: string,
): unknown {
  const [group = "", verb = ""] = name.split(".");
  const call = (client as unknown as Record<string, Record<string, AnyCall>>)[group]?.[verb];
  if (call === undefined) throw new Error(`There is no operation ${name}.`);
  return call(input, { signal, ...(request_id === undefined ? {} : { idempotencyKey: request_id }) });
}

import { isIPv4, isIPv6 } from "node:net";
import { browserName } from "../../catalogue/browser-name.ts";
import { networkOf } from "./rules.ts";

/** The origin of a request for a letter, in our own words only. */
export interface AskedFrom {
  /** A name such as "Firefox on Linux"; "a program" for everything not on the list. */
  browser: string;
  /** The /24, or the /64 of an IPv6 address; null when the program that embeds the service asks. */
  network: string | null;
}

/** Describes the origin of a request for a letter without quoting any of the request. */
export function askedFrom({
  ip,
  user_agent = null,
}: {
  ip: string | null;
  user_agent?: string | null | undefined;
}): AskedFrom {
  const plain = ip?.replace(/^::ffff:(?=\d+\.)/i, "") ?? "";
  const is_address = isIPv4(plain) || isIPv6(plain);
  return { browser: browserName(user_agent), network: is_address ? networkOf(plain) : null };
}

/** Reads the origin from a job's payload; undefined in jobs of earlier versions. */
export function readAskedFrom({ asked_from }: Record<string, unknown>): AskedFrom | undefined {
  if (typeof asked_from !== "object" || asked_from === null) return undefined;
  const { browser, network } = asked_from as Record<string, unknown>;
  if (typeof browser !== "string") return undefined;
  return { browser, network: typeof network === "string" ? network : null };
}

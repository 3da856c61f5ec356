import { type Networks, networkList } from "@letterslot/core/ports";

/** The settings of direct delivery to the recipients' mail hosts. */
export interface DirectRoute {
  /** 25, except in tests and closed networks. */
  port: number;
  /** Networks that mail may be sent to although their addresses aren't public. */
  allow: Networks;
}

const SMTP_PORT = 25;
const MAX_PORT = 65_535;
const PARAMETERS = ["port", "allow"];

/**
 * Parses `mx:`, or `mx:?port=2525&allow=127.0.0.0/8` for tests and closed networks; `allow` is a list of networks
 * separated by commas. Throws an error that describes the expected form.
 */
export function readDirectUrl(url: string): DirectRoute {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const parameters = [...(parsed?.searchParams.keys() ?? [])];
  const port = parsed?.searchParams.get("port") ?? String(SMTP_PORT);
  const isRoute =
    parsed?.protocol === "mx:" &&
    `${parsed.host}${parsed.pathname}${parsed.hash}` === "" &&
    parameters.every((name) => PARAMETERS.includes(name)) &&
    new Set(parameters).size === parameters.length &&
    /^[1-9]\d{0,4}$/.test(port) &&
    Number(port) <= MAX_PORT;
  if (!isRoute) throw new Error("The SMTP URL must be mx:, or mx:?port=2525&allow=127.0.0.0/8 in tests.");
  const allow = parsed.searchParams.get("allow");
  return { port: Number(port), allow: networkList(allow === null ? [] : allow.split(",")) };
}

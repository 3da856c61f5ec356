import { lookup } from "node:dns/promises";
import { isPublicAddress } from "@letterslot/core/ports";

/**
 * Why events aren't forwarded to a URL; undefined if they are. They are mail, so they leave in the clear only for
 * this machine and private networks: a public address takes https.
 */
export async function refusalOf(url: string): Promise<string | undefined> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    return "It is no http or https URL. Name one such as http://localhost:3000/hook.";
  if (parsed.username !== "" || parsed.password !== "")
    return "It holds a user name or password. Leave them out; what arrives is signed.";
  if (parsed.protocol === "https:") return undefined;
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  const addresses = await lookup(host, { all: true }).catch(() => undefined);
  if (addresses === undefined) return `Its host ${host} can't be found. Check the name.`;
  return addresses.some(({ address }) => isPublicAddress(address))
    ? `Its host ${host} is on the public internet, where http is read by others. Use https.`
    : undefined;
}

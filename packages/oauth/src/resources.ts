import { OAUTH_RESOURCES } from "@letterslot/core/internal";

/** The resource of a request that names none, or the server as a whole: the MCP server. */
const [DEFAULT_RESOURCE] = OAUTH_RESOURCES;

/** The resource that an app asks for when it names none. */
export const defaultResource = (base_url: string): string => `${base_url}${DEFAULT_RESOURCE}`;

/**
 * The resource that an app means by a URL (RFC 8707): with or without a slash at its end, whatever the case of its host,
 * and the MCP server for the server as a whole. Anything else is returned as it is, and refused later.
 */
export function resourceMeant(base_url: string, named: string): string {
  const url = URL.parse(named);
  if (url === null || url.search !== "" || named.includes("#") || url.username !== "" || url.password !== "")
    return named;
  const plain = withoutSlash(url.href);
  if (plain === withoutSlash(new URL(base_url).href)) return defaultResource(base_url);
  const known = OAUTH_RESOURCES.map((path) => `${base_url}${path}`);
  return known.find((resource) => plain === withoutSlash(new URL(resource).href)) ?? named;
}

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.slice(0, -1) : url);

/** A request for a token, with the resource that it means. */
export async function withResourceMeant(base_url: string, request: Request): Promise<Request> {
  const { url, method, headers } = request;
  if (method !== "POST" || !/^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? ""))
    return request;
  const body = await request.text();
  const given = new URLSearchParams(body);
  const resources = given.getAll("resource");
  if (resources.length === 0) return new Request(url, { method, headers, body });
  given.delete("resource");
  for (const resource of resources) given.append("resource", resourceMeant(base_url, resource));
  return new Request(url, { method, headers, body: given.toString() });
}

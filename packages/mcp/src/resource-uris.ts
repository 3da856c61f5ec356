/** The resource that a URI names: an inbox, or a message, thread or attachment in it. */
export type ResourceName =
  | { kind: "inbox"; address: string }
  | { kind: "message" | "thread"; address: string; id: string }
  | { kind: "attachment"; address: string; message_id: string; id: string };

const ROOT = "letterslot://inbox/";
const PATTERN =
  /^letterslot:\/\/inbox\/([^/?#]+)(?:\/(?:(message|thread)\/([^/?#]+)|message\/([^/?#]+)\/attachment\/([^/?#]+)\/text))?$/i;

/** UTF-16 code units of a resource's URI. */
const MAX_URI_CHARS = 1_000;

/** The templates of all resources (RFC 6570). */
export const URI_TEMPLATES = {
  inbox: `${ROOT}{address}`,
  message: `${ROOT}{address}/message/{message_id}`,
  thread: `${ROOT}{address}/thread/{thread_id}`,
  attachment: `${ROOT}{address}/message/{message_id}/attachment/{attachment_id}/text`,
} as const satisfies Record<ResourceName["kind"], string>;

/** The URI of an inbox. */
export const inboxUri = (address: string): string =>
  `${ROOT}${encodeURIComponent(address).replaceAll("%40", "@")}`;

/** Parses a resource URI; undefined if it isn't one of ours. */
export function parseUri(uri: string): ResourceName | undefined {
  if (uri.length > MAX_URI_CHARS) return undefined;
  const parts = PATTERN.exec(uri)?.slice(1).map(decoded);
  if (parts === undefined || parts.includes(null)) return undefined;
  const [address = "", kind, id, message_id, attachment_id] = parts as (string | undefined)[];
  if (attachment_id !== undefined && message_id !== undefined)
    return { kind: "attachment", address, message_id, id: attachment_id };
  if (id === undefined) return { kind: "inbox", address };
  return { kind: kind?.toLowerCase() === "thread" ? "thread" : "message", address, id };
}

/** A part of a URI without its escapes; null if these are none. */
function decoded(part: string | undefined): string | null | undefined {
  if (part === undefined) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

import { LIMITS } from "@letterslot/core";

/** The schemes of editors that have no dot in them, and are known to answer only their own. */
const EDITOR_SCHEMES = new Set([
  "cursor:",
  "vscode:",
  "vscode-insiders:",
  "vscodium:",
  "windsurf:",
  "zed:",
  "claude:",
  "raycast:",
  "goose:",
]);

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The kind of receiver of an app's answers: a website, or a program on the person's own machine. */
export type RedirectKind = "web" | "native";

/**
 * Classifies a redirect URI; undefined if an app can't have it. Allowed are https; http on the person's own machine, on
 * any port; an app's scheme with a dot in it (RFC 8252, section 7.1), or a known editor's. Never with a user name, a
 * fragment, or characters that are parsed differently in different places.
 */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (uri.length > LIMITS.oauth_redirect_uri_chars || !/^[!-[\]-~]+$/.test(uri)) return undefined;
  if (!URL.canParse(uri) || uri.includes("#")) return undefined;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return undefined;
  const on_this_machine = LOOPBACK.has(hostname);
  if (protocol === "https:") return hostname === "" || on_this_machine ? undefined : "web";
  if (protocol === "http:") return on_this_machine ? "native" : undefined;
  return protocol.includes(".") || EDITOR_SCHEMES.has(protocol) ? "native" : undefined;
}

/** Returns a redirect URI's destination in one word for people: its host, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? hostname : protocol.slice(0, -1);
}

import { LIMITS, type Permission } from "@letterslot/core";
import { APP_PERMISSIONS, holdsAny } from "@letterslot/core/internal";
import { isOffered, TOOLS } from "./tools/catalogue.ts";
import type { ToolCaller } from "./tools/host.ts";
import { attachingField } from "./tools/reference-fields.ts";

/** The names of the tools that write mail, with its files by reference. */
const WRITE_MAIL = new Set(
  [...TOOLS].flatMap(([name, entry]) => (attachingField(entry) === undefined ? [] : [name])),
);

/**
 * The largest body of a request, in bytes: large where it calls a tool that writes mail. `tool` is the one that
 * it calls; undefined: that isn't known before it was read, so it may be any that the caller is offered.
 */
export function largestBody(caller: ToolCaller, tool: string | undefined): number {
  const names = tool === undefined ? [...WRITE_MAIL] : [tool].filter((name) => WRITE_MAIL.has(name));
  const offered = names.some((name) => {
    const found = TOOLS.get(name);
    return found !== undefined && isOffered(caller, found);
  });
  return offered ? LIMITS.mcp_body_bytes : LIMITS.small_body_bytes;
}

/** The tool that a message calls. Undefined: it calls none. */
export function calledTool({ method, params }: Record<string, unknown>): string | undefined {
  const name = (params as Record<string, unknown> | null | undefined)?.["name"];
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}

/**
 * Returns the permission for which an app should ask its person before it calls an existing tool. Undefined: it has all
 * required permissions, or no app may have the missing one.
 */
export function permissionFor(caller: ToolCaller, tool: string): Permission | undefined {
  const allow = TOOLS.get(tool)?.operation.allow ?? "any";
  if (caller.type !== "app" || allow === "any" || holdsAny(caller.permissions, allow)) return undefined;
  return allow.find((permission) => APP_PERMISSIONS.includes(permission));
}

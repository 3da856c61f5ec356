import type { Route } from "@letterslot/client/routes";
import { type Operation, toolsOfOperation } from "@letterslot/core/internal";
import { type OfferedTool, toolsOf } from "@letterslot/mcp";
import { namedValue } from "./samples.ts";
import { plainSchema } from "./schemas.ts";

type Input = Record<string, unknown>;

const MAX_INLINE_CHARS = 60;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** The place of an operation's input field in a request. */
export type Place = "path" | "query" | "body" | "header";

/** Returns a field's place in the operation's route. */
export function placeOf(field: string, { method, path, headers = {} }: Route): Place {
  if (Object.hasOwn(headers, field)) return "header";
  if (path.split("/").includes(`:${field}`)) return "path";
  return method === "GET" || method === "DELETE" ? "query" : "body";
}

/** An input of the operation for people to begin with: its own example, with ids and tokens filled in. */
export function exampleInput(operation: Operation, route: Route): Input {
  const { properties = {}, required = [] } = plainSchema(operation.input, "input");
  const own: Input = operation.example ?? {};
  const inPath = Object.keys(properties).filter((name) => placeOf(name, route) === "path");
  const fields = new Set([...inPath, ...Object.keys(own), ...required]);
  return Object.fromEntries(
    [...fields].map((name) => [name, Object.hasOwn(own, name) ? own[name] : namedValue(name)]),
  );
}

/** The fields of an input that go to this place. */
const fieldsAt = (place: Place, input: Input, route: Route): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => placeOf(name, route) === place));

/** The call as a command of curl. `auth` is the header that it proves itself with; null for none. */
export function curlCall(base_url: string, route: Route, input: Input, auth: string | null): string {
  const path = route.path.replace(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fieldsAt("query", input, route)))
    for (const each of [value].flat()) query.append(name, String(each));
  const target = `${base_url}${path}${query.size === 0 ? "" : `?${query.toString()}`}`;
  const body = fieldsAt("body", input, route);
  const hasBody = Object.keys(body).length > 0;
  const parts = [
    `curl${route.method === "GET" ? "" : ` -X ${route.method}`}${route.answers === "stream" ? " -N" : ""} ${quoted(target)}`,
    ...(auth === null ? [] : [`-H "${auth}"`]),
    ...(hasBody ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`] : []),
    ...(route.answers === "bytes" || route.answers === "file" ? ["-o file"] : []),
  ];
  return parts.join(" \\\n  ");
}

const quoted = (text: string): string =>
  /^[\w:/.@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The call with the typed client. */
export function clientCall(name: string, route: Route, input: Input): string {
  const call = `client.${name}(${Object.keys(input).length === 0 ? "" : literal(input)})`;
  if (route.answers === "stream") return `for await (const event of ${call}) console.log(event.type);`;
  if (route.answers === "file")
    return `const { stream } = await ${call};\nawait writeFile("file", stream); // of node:fs/promises`;
  return `const answer = await ${call};`;
}

/** The call with the command line. */
export function cliCall(name: string, input: Input): string {
  const words = Object.entries(input).flatMap(([field, value]) => optionWords(field, value));
  return ["letterslot call", name, ...words].join(" ");
}

function optionWords(field: string, value: unknown): string[] {
  const option = `--${field.replaceAll("_", "-")}`;
  if (value === true) return [option];
  if (value === false || value === null) return [option.replace("--", "--no-")];
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return value.flatMap((each) => [option, quoted(String(each))]);
  return [option, quoted(typeof value === "string" ? value : JSON.stringify(value))];
}

let offered: Map<string, OfferedTool> | undefined;

/** The call with the operation's first tool of MCP; undefined if it has none. */
export function toolCall(operation: Operation, input: Input): string | undefined {
  const caller = { id: "", type: "key", permissions: null, inbox_ids: null } as const;
  offered ??= new Map(toolsOf(caller).map((tool) => [tool.name, tool]));
  const tool = offered.get(toolsOfOperation(operation)[0]?.name ?? "");
  if (tool === undefined) return undefined;
  const { properties = {}, required = [] } = tool.inputSchema;
  const fields = Object.keys(properties).filter((name) => name in input || required.includes(name));
  const values = fields.map((name) => [name, input[name] ?? namedValue(name)]);
  return JSON.stringify({ name: tool.name, arguments: Object.fromEntries(values) as Input }, null, 2);
}

/** A value as TypeScript, on one line if it is short. */
function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(
        ([key, each]) => `${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}: ${literal(each, inner)}`,
      );
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "];
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  if (items.length === 0) return `${open}${close}`;
  return line.length <= MAX_INLINE_CHARS && !line.includes("\n")
    ? line
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}

import type { ErrorCode } from "@letterslot/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { COMMON_ERRORS } from "../src/docs/errors.ts";

type Json = Record<string, unknown>;

/** A `fetch` that throws if an answer does not match the OpenAPI document. */
export type CheckedFetch = (url: string, init?: RequestInit) => Promise<Response>;

const validators = new WeakMap<Json, Ajv2020>();

/**
 * Wraps `fetch` with checks against a server's OpenAPI document: each answer under `base_url` must have a
 * documented status and content type, a body that matches its schema, and a request id; a failure has a code
 * that the operation lists, or that any call may answer with. Undocumented paths must answer with an error
 * object.
 */
export function createCheckedFetch(base_url: string, document: Json): CheckedFetch {
  const ajv = validatorOf(document);
  const paths = Object.keys(document["paths"] as Json).map((path) => ({ path, pattern: patternOf(path) }));
  paths.sort((a, b) => placeholders(a.path) - placeholders(b.path));

  const check = (pointer: string[], body: unknown, call: string) => {
    const validate = ajv.getSchema(`openapi#/${pointer.map(escaped).join("/")}`);
    if (validate === undefined)
      throw new Error(`${call}: the document has no schema at ${pointer.join(" > ")}`);
    if (!validate(body))
      throw new Error(
        `${call} is not as documented: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
  };

  return async (url, init) => {
    const response = await fetch(url, init);
    const method = (init?.method ?? "GET").toLowerCase();
    const { pathname } = new URL(url);
    const { status } = response;
    const call = `${method.toUpperCase()} ${pathname} ${status}`;
    if (!url.startsWith(`${base_url}/api/`)) return response;
    if (!response.headers.get("x-request-id")?.startsWith("req_"))
      throw new Error(`${call} has no x-request-id`);

    const matching = paths
      .filter(({ pattern }) => pattern.test(pathname))
      .map(({ path: documented }) => documented);
    const responsesOf = (documented: string) => at(document, ["paths", documented, method, "responses"]);
    const path = matching.find((documented) => responsesOf(documented) !== undefined);
    const responses = path === undefined ? undefined : responsesOf(path);
    if (path === undefined || responses === undefined) {
      check(["components", "schemas", "Error"], await response.clone().json(), call);
      return response;
    }
    const documented = responses[String(status)] as Json | undefined;
    if (documented === undefined) throw new Error(`${call} is not a documented status`);
    const reference = documented["$ref"] as string | undefined;
    const pointer =
      reference === undefined
        ? ["paths", path, method, "responses", String(status)]
        : reference.slice(2).split("/");
    const content = at(document, [...pointer, "content"]) ?? {};
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    if (type === "application/json" && type in content) {
      const body: unknown = await response.clone().json();
      check([...pointer, "content", type, "schema"], body, call);
      if (!response.ok) checkCode(body, at(document, ["paths", path, method]), call);
      return response;
    }
    if (!(type in content) && !("*/*" in content))
      throw new Error(`${call} has the undocumented content type ${type}`);
    return response;
  };
}

/** The validator of a document, which keeps each schema that it has compiled. */
function validatorOf(document: Json): Ajv2020 {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document, "openapi");
  validators.set(document, ajv);
  return ajv;
}

/** Throws if an operation fails with a code that the documentation doesn't list for it. */
function checkCode(body: unknown, operation: Json | undefined, call: string): void {
  const { code } = (body as { error: { code: ErrorCode } }).error;
  const listed = (operation?.["x-errors"] ?? []) as string[];
  if (!listed.includes(code) && !COMMON_ERRORS.includes(code))
    throw new Error(`${call}: ${code} is not among the operation's errors; add it to its \`errors\``);
}

function at(document: Json, pointer: string[]): Json | undefined {
  return pointer.reduce<Json | undefined>((node, key) => node?.[key] as Json | undefined, document);
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
const placeholders = (path: string): number => path.split("{").length;
const escaped = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

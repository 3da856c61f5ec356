import { LetterslotApiError } from "@letterslot/client";
import { type Route, routes } from "@letterslot/client/routes";
import { LetterslotError, type OperationName } from "@letterslot/core";
import { cleanLine } from "@letterslot/core/mail";
import { TOOLS, toolNameOf } from "./catalogue.ts";
import { REQUEST_ID } from "./input-schema.ts";

/** Why a call failed, as both `LetterslotError` and `LetterslotApiError` say it. */
export interface Failure {
  code: string;
  message: string;
  fix?: string | undefined;
  param?: string | undefined;
  retry_after_seconds?: number | undefined;
}

/** The failure that an error tells of; undefined for anything unforeseen. */
export function failureIn(error: unknown): Failure | undefined {
  const isTold =
    error instanceof ToolError || error instanceof LetterslotError || error instanceof LetterslotApiError;
  return isTold ? error : undefined;
}

/** A failure of the tools themselves, before the service is called. */
export class ToolError extends Error implements Failure {
  readonly code: string;
  readonly fix: string;
  readonly param: string | undefined;

  constructor({ code, message, fix, param }: Failure & { fix: string }) {
    super(message);
    this.name = "ToolError";
    this.code = code;
    this.fix = fix;
    this.param = param;
  }
}

const MAX_CHARS = 2_000;

/** Returns a failure's text for a model: the error, and its remedy. Routes are named as the tools that call them. */
export function failureText({ code, message, fix, param, retry_after_seconds }: Failure): string {
  const told = param !== undefined && !message.includes(param) ? ` (${param})` : "";
  const next = [
    ...(fix === undefined ? [] : [fix]),
    ...(retry_after_seconds === undefined ? [] : [`Try again after ${retry_after_seconds} seconds.`]),
  ];
  return [`${code}: ${message}${told}`, ...(next.length === 0 ? [] : [`What to do: ${next.join(" ")}`])]
    .map((line) => cleanLine(forModels(line), MAX_CHARS))
    .join("\n");
}

const ROUTE = /\b(GET|POST|PATCH|DELETE) (\/api\/v1\/[\w/:-]*[\w])/g;

/** Replaces routes by the names of their tools, and request_id by the header that it becomes. */
function forModels(text: string): string {
  return text
    .replaceAll("Idempotency-Key", REQUEST_ID)
    .replace(ROUTE, (whole, method: string, path: string) => toolAt(method, path) ?? whole);
}

function toolAt(method: string, path: string): string | undefined {
  const [name] =
    Object.entries<Route>(routes).find(
      ([, route]) => route.method === method && shapeOf(route.path) === shapeOf(path),
    ) ?? [];
  return name === undefined ? undefined : toolNameOf(name as OperationName, TOOLS);
}

/** A path without the names of its parameters. */
const shapeOf = (path: string): string => path.replace(/:\w+/g, ":");

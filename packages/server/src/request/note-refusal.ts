import { type Caller, LetterslotError } from "@letterslot/core";
import { operationNamed } from "@letterslot/core/internal";
import type { ServerState } from "./context.ts";
import { wireOf } from "./errors.ts";

/** The call that was refused: who called what, and how. */
export interface Refused {
  caller: Caller;
  operation: string;
  /** The inbox that the path or the input named. */
  inbox_id: unknown;
  source: "http" | "mcp";
  request_id: string;
}

/** Keeps a refusal of a key's or an app's call for its account to see, and returns the error. */
export function noteRefusal({ letterslot }: ServerState, error: unknown, refused: Refused): unknown {
  const { caller, operation, inbox_id } = refused;
  if (!(error instanceof LetterslotError) || caller.type === "public") return error;
  const { code, param } = error;
  letterslot.refusals.note({
    ...refused,
    caller,
    fields: Object.keys(operationNamed(operation).input.shape),
    inbox_id: typeof inbox_id === "string" ? inbox_id : undefined,
    error: { ...wireOf(code), code, param },
  });
  return error;
}

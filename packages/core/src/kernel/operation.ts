import type { z } from "zod";
import type { Permission } from "../catalogue/permissions.ts";
import type { AccountContext, InboxContext, PublicContext } from "./context.ts";

/**
 * Whom an operation is about.
 * - `inbox`: one inbox, named by `inbox_id`; the gate finds it and holds scoped keys to it.
 * - `filtered`: the account; a scoped key sees and makes only what is wholly its inbox's.
 * - `account`: the account; a scoped key is refused.
 * - `public`: anybody; an Authorization header, if there is one, must be good.
 */
export type Scope = "inbox" | "filtered" | "account" | "public";

type ContextOf<S extends Scope> = S extends "inbox"
  ? InboxContext
  : S extends "public"
    ? PublicContext
    : AccountContext;

/** A thing that a caller can do: its shapes, who may do it, and how. */
export interface Operation<
  S extends Scope = Scope,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> {
  /** One sentence for the documentation. */
  summary: string;
  scope: S;
  /** Any one of these permissions is enough; `any` is every live key. Public operations ask for none. */
  allow: readonly Permission[] | "any";
  /** The page of a letter to an owner: whoever shows an API key is the agent, and is refused. */
  owners_only?: boolean;
  /** The inbox may be named by its username or address too. */
  inbox_by_name?: boolean;
  /** It honours an Idempotency-Key: `run` settles its answer in the transaction of its effect. */
  idempotent?: boolean;
  /** Finds what an earlier call with this client_id made, before an Idempotency-Key is looked at. */
  replay?(ctx: ContextOf<S>, input: z.output<I>): Promise<z.input<O> | undefined>;
  /** What the answer is: a JSON record, bytes to download, or a stream of events. */
  answers?: "json" | "bytes" | "stream";
  /** Flat for the caller: path, query and body are one object. */
  input: I;
  output: O;
  run(ctx: ContextOf<S>, input: z.output<I>): Promise<z.input<O>>;
}

/** States an operation; the identity, for its types. */
export function operation<S extends Scope, I extends z.ZodObject, O extends z.ZodType>(
  definition: Operation<S, I, O>,
): Operation<S, I, O> {
  return definition;
}

import type { z } from "zod";
import type { Permission } from "../catalogue/permissions.ts";
import type { CallerType } from "./caller.ts";
import type { AccountContext, InboxContext, PublicContext } from "./context.ts";
import type { LetterKind, LetterSubjects } from "./letter-token.ts";

/**
 * Whom an operation is about.
 * - `inbox`: one inbox, named by `inbox_id`; the gate finds it and holds scoped keys to it.
 * - `filtered`: the account; a scoped key sees and makes only what is wholly its inbox's.
 * - `account`: the account; a scoped key is refused.
 * - `public`: anybody; an Authorization header, if there is one, must be good.
 */
export type Scope = "inbox" | "filtered" | "account" | "public";

type ContextOf<S extends Scope, L extends LetterKind | undefined> = (S extends "inbox"
  ? InboxContext
  : S extends "public"
    ? PublicContext
    : AccountContext) &
  (L extends LetterKind ? { letter: LetterSubjects[L] } : unknown);

/** What an operation does to what is stored: reads it, changes it, or deletes what can't be brought back. */
export type Effect = "read" | "write" | "delete";

/** A thing that a caller can do: its shapes, who may do it, and how. */
export interface Operation<
  S extends Scope = Scope,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  L extends LetterKind | undefined = LetterKind | undefined,
> {
  /** One sentence for the documentation. */
  summary: string;
  scope: S;
  /** Any one of these permissions is enough; `any` is every live key. Public operations ask for none. */
  allow: readonly Permission[] | "any";
  /** The kinds of caller that it is for. Without it: all that the scope admits. */
  callers?: readonly CallerType[];
  /** The kind of letter whose `token` opens it: the gate looks the token up and passes on `ctx.letter`. */
  letter?: L;
  /** The inbox may be named by its username or address too. */
  inbox_by_name?: boolean;
  effect: Effect;
  /** It honours an Idempotency-Key: `run` records its answer in the transaction of its effect. */
  idempotent?: true | undefined;
  /** Its answer is one page of a list. */
  pages?: true | undefined;
  /** It may wait for its time or for an owner: then the answer is, or contains, a draft or an approval. */
  holds?: true;
  /** What the answer is: a JSON record (the default), bytes to download, or a stream of events. */
  answers?: "bytes" | "stream" | undefined;
  /** `run` answers records as `shownBy` made them: the gate does not parse them again (see `shownBy`). */
  already_shown?: true;
  /** Finds what an earlier call with this client_id made, before an Idempotency-Key is looked at. */
  replay?(ctx: ContextOf<S, L>, input: z.output<I>): Promise<z.input<O> | undefined>;
  /** Flat for the caller: path, query and body are one object. */
  input: I;
  output: O;
  run(ctx: ContextOf<S, L>, input: z.output<I>): Promise<z.input<O>>;
}

/** The facts that a client must know before it calls, kept as literal types. */
interface ClientFacts<P, J, A> {
  pages?: P;
  idempotent?: J;
  answers?: A;
}

/** Defines an operation; returns it unchanged, with its types. */
export function operation<
  S extends Scope,
  I extends z.ZodObject,
  O extends z.ZodType,
  L extends LetterKind | undefined = undefined,
  P extends true | undefined = undefined,
  J extends true | undefined = undefined,
  A extends "bytes" | "stream" | undefined = undefined,
>(definition: Operation<S, I, O, L> & ClientFacts<P, J, A>): Operation<S, I, O, L> & ClientFacts<P, J, A> {
  return definition;
}

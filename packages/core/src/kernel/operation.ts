import type { z } from "zod";
import type { ErrorCode } from "../catalogue/errors.ts";
import type { Permission } from "../catalogue/permissions.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { AccountCaller, CallerType } from "./access/caller.ts";
import type { AccountContext, InboxContext, PublicContext } from "./context.ts";
import type { LetterSubject, LetterSubjects } from "./letters/letter-token.ts";

/**
 * The scope of an operation.
 * - `inbox`: one inbox, named by `inbox_id`; the gate finds it and checks a scoped key's access.
 * - `filtered`: the account; a scoped key sees and creates only what belongs wholly to its inbox.
 * - `account`: the account; scoped keys are refused.
 * - `public`: open to anyone; an Authorization header, if present, must be valid.
 */
export type Scope = "inbox" | "filtered" | "account" | "public";

type ContextOf<S extends Scope, L extends LetterSubject | undefined> = (S extends "inbox"
  ? InboxContext
  : S extends "public"
    ? PublicContext
    : AccountContext) &
  (L extends LetterSubject ? { letter: LetterSubjects[L] } : unknown);

/** Whether an operation reads, changes, or irreversibly deletes data. */
export type Effect = "read" | "write" | "delete";

/** An operation as a tool for language models. */
export interface Tool {
  /** `verb_noun` in lower case, different from every other tool's. */
  name: string;
  /** Its purpose and when to use it, written for a model. */
  description: string;
  /** Hints that don't follow from the operation's effect; each is false unless set. */
  hints?: {
    /** It may undo or overwrite what is there. A `delete` always does. */
    destructive?: true;
    /** Calling it again with the same input changes nothing more. A `read` always does. */
    idempotent?: true;
    /** It reaches people or machines outside the service, such as by sending mail. */
    open_world?: true;
  };
  /** Fields of the input that models are not offered: they keep their defaults. */
  without?: readonly string[];
  /** Fields of the input that always have these values, and that models are not offered. */
  sets?: Readonly<Record<string, unknown>>;
  /** Fields that a model must give although the operation can do without them. */
  needs?: readonly string[];
  /** Descriptions of fields, where the operation's own are too long for a model or don't fit. */
  fields?: Readonly<Record<string, string>>;
}

/** An action that a caller can perform: its input and output, who may call it, and how. */
export interface Operation<
  S extends Scope = Scope,
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  L extends LetterSubject | undefined = LetterSubject | undefined,
> {
  /** Its purpose, in a sentence or two for the documentation. */
  summary: string;
  /** When to use it, in a sentence for the documentation. */
  when: string;
  /** A good input for the documentation, without ids and tokens, which it fills in. */
  example?: Partial<z.input<NoInfer<I>>>;
  /** The errors that don't follow from its permissions, path and input. */
  errors?: readonly ErrorCode[];
  scope: S;
  /** Any one of these permissions is enough; `any` is every live key. Public operations ask for none. */
  allow: readonly Permission[] | "any";
  /** The kinds of caller that may use it; by default all that the scope allows. */
  callers?: readonly CallerType[];
  /** A public operation that a signed-in person uses within an account, like those on accounts. */
  in_account?: true | undefined;
  /**
   * It stays callable during suspension. Operations that neither keys nor apps may call, such as owners' actions,
   * always do.
   */
  while_suspended?: true | undefined;
  /** The kind of letter whose `token` gives access: the gate looks the token up and sets `ctx.letter`. */
  letter?: L;
  /**
   * Checks permissions beyond `allow` that depend on the input, which is not checked yet, or on the inbox that
   * it names. Fails with `permission_denied`.
   */
  authorize?(caller: AccountCaller, raw: Record<string, unknown>, inbox: InboxRecord | undefined): void;
  /** The inbox may also be named by username or address, or only the inbox with this username. */
  inbox_by_name?: true | "batch";
  /** The inbox may also be one in the trash, named by its id. */
  inbox_in_trash?: true | undefined;
  effect: Effect;
  /** The tools that language models are offered for it. Without one, models are not offered the operation. */
  tool?: Tool | readonly Tool[] | undefined;
  /** It changes only the fields that it is given: null is an error in a field that can't be cleared. */
  patches?: true | undefined;
  /** It supports an Idempotency-Key: `run` records its answer in the transaction of its effect. */
  idempotent?: true | undefined;
  /** Its answer is one page of a list. */
  pages?: true | undefined;
  /** It may be held until a set time or for an owner's approval: then it returns a draft or an approval. */
  holds?: true;
  /**
   * The form of the answer: a JSON record (the default), bytes to download, a file that may be larger than memory, or a
   * stream of events.
   */
  answers?: "bytes" | "file" | "stream" | undefined;
  /** `run` answers records as `shownBy` made them: the gate does not parse them again (see `shownBy`). */
  already_shown?: true;
  /** Finds the result of an earlier call with this client_id, before the Idempotency-Key is checked. */
  replay?(ctx: ContextOf<S, L>, input: z.output<I>): Promise<z.input<O> | undefined>;
  /** One flat object of path, query and body fields. */
  input: I;
  output: O;
  run(ctx: ContextOf<S, L>, input: z.output<I>): Promise<z.input<O>>;
}

/** The facts that a client needs before a call, as literal types. */
export interface ClientFacts<P, J, A> {
  pages?: P;
  idempotent?: J;
  answers?: A;
}

/** Defines an operation; returns it unchanged, with its types. */
export function operation<
  S extends Scope,
  I extends z.ZodObject,
  O extends z.ZodType,
  L extends LetterSubject | undefined = undefined,
  P extends true | undefined = undefined,
  J extends true | undefined = undefined,
  A extends "bytes" | "file" | "stream" | undefined = undefined,
>(definition: Operation<S, I, O, L> & ClientFacts<P, J, A>): Operation<S, I, O, L> & ClientFacts<P, J, A> {
  return definition;
}

/** The tools of an operation. */
export const toolsOfOperation = ({ tool = [] }: Pick<Operation, "tool">): readonly Tool[] =>
  Array.isArray(tool) ? tool : [tool as Tool];

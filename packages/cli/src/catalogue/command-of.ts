import type { Download, FileDownload, Page, PagePromise } from "@letterslot/client";
import type { OperationName } from "@letterslot/core";
import type { Command, Field, Fields } from "../frame/command.ts";
import type { Connection, Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";
import type { Shown } from "../frame/output.ts";
import { columnsOf } from "../present/columns.ts";
import { isDownload, keepDownload } from "../present/download.ts";
import { fieldOf, givenOf } from "./fields.ts";
import { INBOX, inboxIdOf, ONE_INBOX } from "./inbox.ts";
import { invoke } from "./invoke.ts";
import { OPERATIONS } from "./operations.data.ts";

/** The presentation of an operation as a command of its own. */
export interface Shape {
  summary?: string;
  about?: string;
  examples: readonly [string, ...string[]];
  /** The fields that are words after the command's name instead of options, in their order. */
  args?: readonly string[];
  /** The fields that this command doesn't have. */
  without?: readonly string[];
  /** The fields that the operation needs and `input` finds where they aren't given. */
  optional?: readonly string[];
  /** Options beside the operation's fields. */
  options?: Fields;
  /** Fields with another text or kind than the operation's. */
  change?: Readonly<Record<string, Partial<Field>>>;
  /** The question that is asked first, unless --yes is given. */
  confirm?(given: Shown): string;
  /** A login is refused: the operation needs a key. */
  needs_key?: true;
  /** Converts the given fields into the operation's input. */
  input?(
    context: Context,
    given: Record<string, unknown>,
    connection: Connection,
  ): Promise<Record<string, unknown>>;
  /** Shows the answer; by default a list as a table, and anything else as a record. */
  show?(context: Context, answer: Shown, given: Shown): Promise<void>;
}

const LIST_OPTIONS = {
  limit: { kind: "whole", short: "n", about: "how many to show; 25 by default" },
  all: { kind: "flag", about: "show them all" },
} as const satisfies Fields;
const YES = { kind: "flag", short: "y", about: "do it without asking" } as const;
const REQUEST_ID = {
  kind: "text",
  about: "your own id for this: repeated with it, it is done once",
  placeholder: "id",
} as const;
const OUTPUT = { kind: "text", short: "o", about: "the file to write", placeholder: "file" } as const;

const DEFAULT_LIMIT = 25;
const LARGEST_PAGE = 100;

/** A command that calls one operation, with its fields as words and options. */
export function commandOf(name: OperationName, shape: Shape): Command {
  const facts = OPERATIONS[name];
  if (facts === undefined) throw new Error(`There is no operation ${name}.`);
  const { args = [], without = [], change = {}, show = showAnswer } = shape;
  const is_list = facts.pages === true;
  const field = (each: string): Field => {
    const found = facts.fields[each];
    if (found === undefined) throw new Error(`${name} has no field ${each}.`);
    const { required, ...rest } = { ...fieldOf(found), ...change[each] };
    return required === undefined || shape.optional?.includes(each) === true ? rest : { ...rest, required };
  };
  const own = Object.keys(facts.fields).filter(
    (each) =>
      !args.includes(each) &&
      !without.includes(each) &&
      each !== "inbox_id" &&
      !(is_list && each === "cursor"),
  );
  const is_inbox_named =
    "inbox_id" in facts.fields && !args.includes("inbox_id") && !without.includes("inbox_id");
  const needs_inbox = facts.fields["inbox_id"]?.required === true;
  const inbox_option = { ...(needs_inbox ? INBOX : ONE_INBOX), ...change["inbox_id"] };
  return {
    summary: shape.summary ?? facts.summary,
    ...(shape.about === undefined ? {} : { about: shape.about }),
    examples: shape.examples,
    args: Object.fromEntries(args.map((each) => [each, field(each)])),
    options: {
      ...(is_inbox_named ? { inbox: inbox_option } : {}),
      ...Object.fromEntries(own.map((each) => [each, field(each)])),
      ...(is_list ? LIST_OPTIONS : {}),
      ...(isDownload(facts.answers) ? { output: OUTPUT } : {}),
      ...(facts.idempotent === true ? { request_id: REQUEST_ID } : {}),
      ...(shape.confirm === undefined ? {} : { yes: YES }),
      ...shape.options,
    },
    async run(context, input) {
      const { inbox, request_id, yes, output, limit, all, ...rest } = input;
      const given = givenOf(rest);
      const connection = await context.connect();
      checkKey(connection, shape);
      if (shape.confirm !== undefined && yes !== true) await confirm(context, shape.confirm(given));
      const fields = await (shape.input?.(context, given, connection) ?? given);
      if (is_inbox_named && (needs_inbox || inbox !== undefined))
        fields["inbox_id"] = await inboxIdOf(connection, context, inbox as string | undefined);
      if (args.includes("inbox_id"))
        fields["inbox_id"] = await inboxIdOf(connection, context, fields["inbox_id"] as string);
      if (is_list) {
        const most = all === true ? Infinity : ((limit as number | undefined) ?? DEFAULT_LIMIT);
        const page = { limit: Math.min(most, LARGEST_PAGE) };
        const list = invoke(connection, context, name, { ...fields, ...page }) as PagePromise<Shown>;
        return showList(context, list, most);
      }
      const answer = await invoke(connection, context, name, fields, request_id as string | undefined);
      if (isDownload(facts.answers))
        return keepDownload(context, answer as Download | FileDownload, output as string | undefined);
      return show(context, answer as Shown, given);
    },
  };
}

/** Refuses a login for operations that need a key. Throws `CliError`. */
export function checkKey({ credential }: Connection, { needs_key }: Pick<Shape, "needs_key">): void {
  if (needs_key !== true || credential !== "oauth") return;
  throw new CliError("This needs an API key: a login is never let do it.", {
    exit: EXIT.refused,
    fix: "Set LETTERSLOT_API_KEY, or store one: letterslot init --profile <name> --api-key-stdin.",
  });
}

/** Asks for confirmation of an irreversible action. Where nobody can be asked, --yes must be given. */
export async function confirm({ terminal }: Context, question: string): Promise<void> {
  if (!terminal.interactive)
    throw wrongUse(`${question} Nobody can be asked here.`, "Add --yes if it is meant.");
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(?:es)?$/i.test(answer)) throw new CliError("Nothing was done.");
}

/** Shows so many items of a list, page by page. */
export async function showList(context: Context, list: PagePromise<Shown>, most: number): Promise<void> {
  const { output, terminal } = context;
  const first: Page<Shown> = await list;
  let more = false;
  async function* items() {
    let count = 0;
    for await (const item of list) {
      if (count++ === most) {
        more = true;
        return;
      }
      yield item;
    }
  }
  await output.list(items(), columnsOf(first.data[0]), "There are none.");
  if (more && terminal.stderr.isTTY === true) terminal.note("There are more: --limit <number>, or --all.");
}

/** Shows a list without pages as a table, a deletion as a sentence, and anything else as a record. */
async function showAnswer({ output }: Context, answer: Shown): Promise<void> {
  const { data, deleted, object, id, status } = answer;
  if (Array.isArray(data))
    return output.list(data as Shown[], columnsOf((data as Shown[])[0]), "There are none.");
  if (object === "approval" && status === "pending")
    return output.done(
      `An owner is asked first: ${String(id)}. See letterslot approvals get ${String(id)}.`,
      answer,
    );
  if (deleted === true) return output.done(`Deleted: ${String(id)}`, answer);
  return output.record(answer);
}

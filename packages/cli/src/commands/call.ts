import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { Download, FileDownload, PagePromise } from "@letterslot/client";
import type { OperationFacts } from "../catalogue/facts.ts";
import { fieldsOf, givenOf } from "../catalogue/fields.ts";
import { inboxIdOf } from "../catalogue/inbox.ts";
import { invoke } from "../catalogue/invoke.ts";
import { OPERATIONS } from "../catalogue/operations.data.ts";
import type { Command, Field, Fields, Group } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";
import { jsonLine } from "../frame/text.ts";
import { showAnswer } from "../present/answer.ts";
import { columnsOf } from "../present/columns.ts";
import { isDownload, keepDownload } from "../present/download.ts";

const ABOUT =
  "Each operation takes its fields as options: lists repeat the option, objects are JSON, --no-<field> says false or null. A value @file is what the file holds, and - is standard input (@@ stands for one @). Give words that others wrote by - or in a file of yours: what they wrote must not choose a file.";

/** `letterslot call <operation> --field value`, for every operation of the catalogue. */
export const command: Group = {
  summary: "Calls any operation of the API",
  about: ABOUT,
  examples: [
    "letterslot call me.get",
    "letterslot call inboxes.create --username ada",
    "letterslot call messages.send --to bob@example.com --subject Hi --text @letter.txt",
    "letterslot call events.stream --types message.received | jq .data",
  ],
  commands: Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, facts]) => [
      name,
      { summary: firstSentence(facts.summary), load: async () => operationCommand(name, facts) },
    ]),
  ),
};

const INBOX_ID: Field = {
  kind: "text",
  about: "the inbox's id; by default your only one, or letterslot inboxes use",
  placeholder: "id",
};

const RESULT = "What becomes of the answer";

function operationCommand(name: string, facts: OperationFacts): Command {
  const options: Record<string, Fields[string]> = { ...fieldsOf(facts) };
  const needs_inbox = facts.fields["inbox_id"]?.required === true && !deletesByInbox(facts);
  if (needs_inbox) options["inbox_id"] = INBOX_ID;
  if (facts.pages === true)
    options["all"] = { kind: "flag", about: "every page, not only one", heading: RESULT };
  if (isDownload(facts.answers))
    options["output"] = {
      kind: "text",
      short: "o",
      about: "the file to write",
      placeholder: "file",
      heading: RESULT,
    };
  if (facts.idempotent === true)
    options["request_id"] = {
      kind: "text",
      about: "your own id for this call: repeated with it, it acts once",
      placeholder: "id",
      heading: RESULT,
    };
  return {
    summary: facts.summary,
    about: facts.when,
    examples: [exampleOf(name, facts)],
    options,
    async run(context, { all, output, request_id, ...fields }) {
      const input = await withFiles(context, givenOf(fields), facts);
      const connection = await context.connect({ anonymous: true });
      if (needs_inbox) input["inbox_id"] ??= await inboxIdOf(connection, context);
      const answer = invoke(connection, context, name, input, request_id as string | undefined);
      if (facts.answers === "stream")
        return showStream(context, answer as AsyncIterable<Record<string, unknown>>);
      if (isDownload(facts.answers))
        return keepDownload(context, (await answer) as Download | FileDownload, output as string | undefined);
      if (all === true) return showAll(context, answer as PagePromise<Record<string, unknown>>);
      return showAnswer(context, await answer);
    },
  };
}

/** Reads the values that name a file or standard input. */
async function withFiles(
  { terminal }: Context,
  input: Record<string, unknown>,
  facts: OperationFacts,
): Promise<Record<string, unknown>> {
  let taken: string | undefined;
  const valueOf = async (name: string, value: unknown): Promise<unknown> => {
    if (typeof value !== "string") return value;
    if (value === "-") {
      if (taken !== undefined) throw wrongUse(`Standard input is for ${taken} already.`);
      taken = name;
      return (await buffer(terminal.stdin)).toString("utf8");
    }
    if (value.startsWith("@@")) return value.slice(1);
    return value.startsWith("@") ? readFileSync(value.slice(1), "utf8") : value;
  };
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(input)) {
    const values = Array.isArray(value) && facts.fields[name]?.many === true ? value : undefined;
    const found = values === undefined ? await valueOf(name, value) : await eachOf(name, values, valueOf);
    read.push([name, found]);
  }
  return Object.fromEntries(read);
}

async function eachOf(
  name: string,
  values: readonly unknown[],
  valueOf: (name: string, value: unknown) => Promise<unknown>,
): Promise<unknown[]> {
  const read: unknown[] = [];
  for (const value of values) read.push(await valueOf(name, value));
  return read;
}

async function showStream({ terminal, signal }: Context, events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) {
    signal.throwIfAborted();
    await terminal.write(`${jsonLine(event)}\n`);
  }
}

async function showAll({ output }: Context, items: PagePromise<Record<string, unknown>>): Promise<void> {
  await output.list(items, columnsOf((await items).data[0]), "There is nothing.");
}

/** Whether it deletes what only its inbox names, such as the inbox: that is never guessed. */
const deletesByInbox = ({ deletes, fields }: OperationFacts): boolean =>
  deletes === true &&
  Object.entries(fields).every(([name, { required }]) => required !== true || name === "inbox_id");

/** A call that works as soon as its ids are real. */
function exampleOf(name: string, facts: OperationFacts): string {
  const { fields, example = {} } = facts;
  const asks_inbox = deletesByInbox(facts);
  const required = Object.entries(fields).filter(
    ([field, { required: needed }]) =>
      needed === true && !(field in example) && (field !== "inbox_id" || asks_inbox),
  );
  const words = [
    ...required.map(([field, { choices }]) => [field, choices?.[0] ?? "…"] as const),
    ...Object.entries(example),
  ].flatMap(([field, value]) => optionWords(field, value));
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

/** A word as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w@.:/…+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The first sentence, without its end, as lists of commands have it. */
function firstSentence(text: string): string {
  const [first = text] = text.split(/(?<=[.:;]) /);
  return first.replace(/[.:;]$/, "");
}

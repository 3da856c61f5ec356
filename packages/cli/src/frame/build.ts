import { nearest } from "@letterslot/core/internal";
import { Argument, type Command as Commander, InvalidArgumentError, Option } from "commander";
import type { Command, Field, Fields, Group, Lazy } from "./command.ts";
import type { Globals } from "./context.ts";
import { EXIT } from "./exit.ts";

/** Runs a command that the command line names. */
export type Runner = (command: Command, input: Record<string, unknown>, globals: Globals) => Promise<void>;

type Entry = Command | Group | Lazy;

/** The options of every command. A field of the same name wins; then the option goes before the command's name. */
export const COMMON = {
  json: { kind: "flag", about: "JSON, a line for each record, on a terminal too" },
  profile: { kind: "text", about: "the profile to use, instead of the current one", placeholder: "name" },
  url: { kind: "text", about: "the server, instead of the profile's", placeholder: "url" },
  workspace: { kind: "text", about: "act within this workspace of the account", placeholder: "id" },
} as const satisfies Fields;

const COMMON_HEADING = "Options of every command:";

/** Fills commander's command with a group's commands, whose own content is loaded when they are used. */
export function fillGroup(parent: Commander, group: Group, run: Runner): void {
  parent.description(joined(group.summary, group.about)).enablePositionalOptions().helpCommand(false);
  addExamples(parent, group.examples ?? []);
  addCommonOptions(parent, {}, { hidden: parent.parent !== null });
  const entries = new Map<Commander, Entry>();
  for (const [name, entry] of Object.entries(group.commands)) {
    const child = parent.command(name).summary(entry.summary);
    configure(child);
    entries.set(child, entry);
  }
  parent.hook("preSubcommand", async (_, child) => {
    const entry = entries.get(child);
    if (entry === undefined) return;
    const loaded = "load" in entry ? await entry.load() : entry;
    if ("commands" in loaded) fillGroup(child, loaded, run);
    if ("run" in loaded) fillCommand(child, loaded, run);
  });
  parent.on("command:*", ([word = ""]: string[]) => {
    const meant = nearest(word, Object.keys(group.commands));
    const hint = meant === undefined ? "" : `\nDid you mean ${fullName(parent)} ${meant}?`;
    parent.error(`error: there is no command ${JSON.stringify(word)}${hint}`, {
      exitCode: EXIT.wrong_use,
    });
  });
}

function fillCommand(target: Commander, command: Command, run: Runner): void {
  const { args = {}, options = {} } = command;
  target.description(joined(command.summary, command.about));
  addExamples(target, command.examples);
  if (command.passes_words === true) {
    target.helpOption(false).allowUnknownOption().argument("[words...]");
    target.action((words: string[]) => run(command, { words }, globalsOf(target)));
    return;
  }
  for (const [name, field] of Object.entries(args)) target.addArgument(argumentOf(name, field));
  for (const [name, field] of Object.entries(options)) {
    target.addOption(optionOf(name, field));
    if (canBeDenied(field)) target.addOption(new Option(`--no-${dashedName(name)}`).hideHelp());
  }
  addCommonOptions(target, options);
  target.action(async () => {
    const words = Object.keys(args).map((name, index) => [name, target.processedArgs[index] as unknown]);
    const given = target.opts<Record<string, unknown>>();
    const chosen = Object.entries(options).map(([name, field]) => [
      name,
      valueOf(field, given[attributeOf(name)]),
    ]);
    await run(command, Object.fromEntries([...words, ...chosen]), globalsOf(target));
  });
}

function valueOf({ kind, many, nullable }: Field, given: unknown): unknown {
  if (given === false && nullable === true && kind !== "switch") return null;
  if (given !== undefined) return given;
  if (kind === "flag") return false;
  return many === true ? [] : undefined;
}

/** Configures the help and the errors of every command. */
export function configure(command: Commander): void {
  command
    .exitOverride()
    .showHelpAfterError(`See ${fullName(command)} --help.`)
    .helpOption("-h, --help", "what it does, and examples")
    .configureHelp({
      showGlobalOptions: false,
      subcommandTerm: (child) => child.name(),
    });
}

function addCommonOptions(command: Commander, own: Fields, { hidden = false } = {}): void {
  for (const [name, field] of Object.entries<Field>(COMMON)) {
    if (!(name in own)) command.addOption(optionOf(name, field).helpGroup(COMMON_HEADING).hideHelp(hidden));
  }
}

function addExamples(command: Commander, examples: readonly string[]): void {
  if (examples.length === 0) return;
  command.addHelpText(
    "after",
    `\nExample${examples.length === 1 ? "" : "s"}:\n${examples.map((line) => `  ${line}`).join("\n")}`,
  );
}

const joined = (summary: string, about: string | undefined) =>
  about === undefined ? summary : `${summary}\n\n${about}`;

/** Common options may stand anywhere; the one nearest to the command wins. */
function globalsOf(command: Commander): Globals {
  const chain: Commander[] = [];
  for (let each: Commander | null = command; each !== null; each = each.parent) chain.push(each);
  const common = (name: keyof typeof COMMON): unknown =>
    chain
      .filter((each) =>
        each.options.some(
          ({ long, helpGroupHeading }) => long === `--${name}` && helpGroupHeading === COMMON_HEADING,
        ),
      )
      .map((each) => each.getOptionValue(name) as unknown)
      .find((value) => value !== undefined);
  const text = (name: keyof typeof COMMON) => common(name) as string | undefined;
  return {
    json: common("json") === true,
    profile: text("profile"),
    url: text("url"),
    workspace: text("workspace"),
  };
}

/** The command as it is typed, such as `letterslot inboxes list`. */
export function fullName(command: Commander): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function argumentOf(name: string, field: Field): Argument {
  const dashed = dashedName(name);
  const word = field.many === true ? `${dashed}...` : dashed;
  const argument = new Argument(field.required === true ? `<${word}>` : `[${word}]`, field.about);
  if (field.choices !== undefined) argument.choices(field.choices);
  return argument.argParser(parserOf(field));
}

function optionOf(name: string, field: Field): Option {
  const dashed = dashedName(name);
  const short = field.short === undefined ? "" : `-${field.short}, `;
  const long = dashed === name ? `--${name}` : `--${name}, --${dashed}`;
  const value = takesValue(field) ? ` <${field.placeholder ?? PLACEHOLDERS[field.kind]}>` : "";
  const about = field.required === true ? `${field.about} (required)` : field.about;
  const option = new Option(`${short}${long}${value}`, about);
  // The form to show: without the alternative name with underscores.
  option.flags = `${short}--${canBeDenied(field) ? "[no-]" : ""}${dashed}${value}`;
  if (field.choices !== undefined) option.choices(field.choices);
  if (field.required === true) option.makeOptionMandatory();
  if (field.heading !== undefined) option.helpGroup(`${field.heading}:`);
  return takesValue(field) ? option.argParser(parserOf(field)) : option;
}

const PLACEHOLDERS = { text: "text", whole: "number", number: "number", json: "json", flag: "", switch: "" };

const takesValue = ({ kind }: Field): boolean => kind !== "flag" && kind !== "switch";

/** Whether `--no-…` has a meaning: false for a switch, null for a nullable field. */
const canBeDenied = ({ kind, nullable }: Field): boolean => kind === "switch" || nullable === true;

/** A field's name on the command line. */
export const dashedName = (name: string): string => name.replaceAll("_", "-");

/** The name under which commander keeps the value of an option. */
const attributeOf = (name: string): string => new Option(`--${dashedName(name)}`).attributeName();

function parserOf(field: Field): (text: string, previous: unknown) => unknown {
  return (text, previous) => {
    const value = parseValue(text, field);
    if (field.many !== true) return value;
    return Array.isArray(previous) ? [...(previous as unknown[]), value] : [value];
  };
}

function parseValue(text: string, { kind, choices }: Field): unknown {
  if (choices !== undefined && !choices.includes(text)) {
    const meant = nearest(text, choices);
    throw new InvalidArgumentError(
      `It is one of ${choices.join(", ")}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
    );
  }
  if (kind === "json") return parseJson(text);
  if (kind !== "whole" && kind !== "number") return text;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new InvalidArgumentError("It is a number.");
  if (kind === "whole" && !Number.isSafeInteger(number))
    throw new InvalidArgumentError("It is a whole number.");
  return number;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError("It is JSON, such as '{\"name\": 1}'.");
  }
}

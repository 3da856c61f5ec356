import type { Context } from "./context.ts";

/** An argument or option of a command. */
export interface Field {
  /** A flag is given or not; a switch is given, denied with `--no-…`, or neither. */
  kind: "text" | "whole" | "number" | "flag" | "switch" | "json";
  /** A description in a few words, shown by `--help`. */
  about: string;
  /** The only values that it takes. */
  choices?: readonly string[];
  /** The command can't run without it. */
  required?: true;
  /** `--no-…` says null. */
  nullable?: true;
  /** It may be given several times, or several words may follow. */
  many?: true;
  /** One letter, such as `o` for `-o`. */
  short?: string;
  /** The placeholder for its value in `--help`; by default its kind. */
  placeholder?: string;
  /** Its heading in `--help`; by default "Options". */
  heading?: string;
}

/** Fields by name: data is snake_case here, `--max-chars` on the command line. */
export type Fields = Readonly<Record<string, Field>>;

type One<F> = F extends { choices: readonly (infer C)[] }
  ? C
  : F extends { kind: "whole" | "number" }
    ? number
    : F extends { kind: "json" }
      ? unknown
      : string;

type ValueOf<F> = F extends { kind: "flag" }
  ? boolean
  : F extends { kind: "switch" }
    ? boolean | undefined
    : F extends { many: true }
      ? One<F>[]
      : F extends { required: true }
        ? One<F>
        : One<F> | undefined;

/** The input of a command: a flag that isn't given is false, and a field with `many` an empty list. */
export type InputOf<F extends { readonly [N in keyof F]: Field }> = {
  -readonly [N in keyof F]: ValueOf<F[N]>;
};

/** Something that `letterslot` does. */
export interface Command {
  /** One sentence, which `--help` of its group shows too. */
  summary: string;
  /** Further facts to know before using it, in a few sentences. */
  about?: string;
  /** Calls that work, each a whole line as it would be typed. */
  examples: readonly [string, ...string[]];
  /** The words after its name, in their order. */
  args?: Fields;
  options?: Fields;
  /** Every word after its name goes to `run` as `words`, options too: for programs that read their own. */
  passes_words?: true;
  /** Throws `CliError`, or an error of the client. */
  run(context: Context, input: Record<string, unknown>): Promise<void>;
}

/** Commands under one word, such as those of `letterslot inboxes`. */
export interface Group {
  summary: string;
  about?: string;
  examples?: readonly string[];
  commands: Readonly<Record<string, Command | Group | Lazy>>;
}

/** A command or group whose code is loaded when it is used. */
export interface Lazy {
  summary: string;
  load(): Promise<Command | Group>;
}

/** Defines a command whose `run` gets the typed values of its arguments and options. */
export function defineCommand<
  const A extends { readonly [N in keyof A]: Field } = object,
  const O extends { readonly [N in keyof O]: Field } = object,
>(
  command: Omit<Command, "args" | "options" | "run"> & {
    args?: A;
    options?: O;
    run(context: Context, input: InputOf<A> & InputOf<O>): Promise<void>;
  },
): Command {
  return command;
}

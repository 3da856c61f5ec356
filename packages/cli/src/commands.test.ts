import { readFileSync } from "node:fs";
import { openApiDocument } from "@letterslot/server";
import { Command as Commander } from "commander";
import { describe, expect, test } from "vitest";
import { configure, fillGroup } from "./frame/build.ts";
import type { Command, Group } from "./frame/command.ts";
import { possibleWords } from "./frame/words.ts";
import { HELP } from "./help.data.ts";
import { ROOT, runProgram } from "./program.ts";

interface Found {
  path: string;
  entry: Command | Group;
}

async function everything(group: Group, path = "letterslot"): Promise<Found[]> {
  const found: Found[] = [{ path, entry: group }];
  for (const [name, lazy] of Object.entries(group.commands)) {
    const entry = "load" in lazy ? await lazy.load() : lazy;
    found.push(
      ...("commands" in entry
        ? await everything(entry, `${path} ${name}`)
        : [{ path: `${path} ${name}`, entry }]),
    );
  }
  return found;
}

const all = await everything(ROOT);

/** The words of a line as a shell would pass them, as far as examples need it. */
function shellWords(line: string): string[] {
  const [before = ""] = line.split(/ [|<>] | >> /);
  return [...before.matchAll(/(?:\\'|[^\s'\\]+|'[^']*')+/g)].map(([word]) =>
    word.replaceAll("\\'", "\0").replaceAll("'", "").replaceAll("\0", "'"),
  );
}

/** Parses a line as the program does, and returns the command's input. */
async function parsed(words: readonly string[]): Promise<Record<string, unknown> | undefined> {
  let ran: Record<string, unknown> | undefined;
  const program = new Commander("letterslot");
  configure(program);
  program.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  fillGroup(program, ROOT, async (_, input) => void (ran = input));
  await program.parseAsync([...words], { from: "user" });
  return ran;
}

describe("every command", () => {
  test("says in a sentence what it does, and shows an example of itself", () => {
    for (const { path, entry } of all) {
      expect(entry.summary, path).toMatch(/^[A-Z].{5,}/s);
      if ("run" in entry) expect(entry.examples.join("\n"), path).toContain(path);
    }
  });

  test("has an example that it takes as it stands", async () => {
    const lines = all
      .flatMap(({ entry }) => entry.examples ?? [])
      .filter((line) => line.startsWith("letterslot "));
    expect(lines.length).toBeGreaterThan(200);
    for (const line of lines) {
      const ran = await parsed(shellWords(line).slice(1)).catch((error: unknown) => {
        throw new Error(`${line}: ${String(error)}`);
      });
      expect(ran, line).toBeDefined();
    }
  });
});

/** The output of `letterslot … --help`; fails for words that aren't a command. */
async function helpOf(words: readonly string[]): Promise<string> {
  let said = "";
  const program = new Commander("letterslot");
  configure(program);
  program.configureOutput({ writeErr: () => undefined, writeOut: (text) => void (said += text) });
  fillGroup(program, ROOT, async () => undefined);
  await program.parseAsync([...words, "--help"], { from: "user" }).catch((error: unknown) => {
    if ((error as { exitCode?: number }).exitCode !== 0) throw error;
  });
  return said;
}

test("--help of everything shows at least one example that is taken as it stands", async () => {
  // Those that pass their words on have the help of the server's own commands, whose test plays them.
  const own = all.filter(({ entry }) => !("passes_words" in entry && entry.passes_words));
  expect(own.length).toBeGreaterThan(250);
  for (const { path } of own) {
    const [, block = ""] =
      /\nExamples?:\n((?: {2}.+(?:\n|$))+)/.exec(await helpOf(path.split(" ").slice(1))) ?? [];
    const calls = block
      .split("\n")
      .flatMap((line) => /(?<=^ {2})letterslot .*|(?<=\()letterslot [^)]*/.exec(line)?.[0] ?? []);
    expect(calls, path).not.toEqual([]);
    for (const call of calls) expect(await parsed(shellWords(call).slice(1)), call).toBeDefined();
  }
});

test("takes the calls that the reference shows", async () => {
  const { paths } = openApiDocument("http://letterslot.test");
  const calls = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) =>
      [operation, ...(operation["x-variants"] ?? [])].flatMap(({ "x-codeSamples": samples }) =>
        samples.flatMap(({ label, source }) => (label === "CLI" ? [source] : [])),
      ),
    ),
  );
  expect(calls.length).toBeGreaterThan(200);
  for (const call of calls) expect(await parsed(shellWords(call).slice(1)), call).toBeDefined();
});

const asInstalled = (line: string): string =>
  line.replace(/^npx -y @letterslot\/cli(?:@[\d.]+)? /, "letterslot ");

test.each([
  ["README.md", 1],
  ["docs/cli.md", 3],
  ["packages/cli/README.md", 3],
  ["docs/getting-started.md", 3],
] as const)("%s calls it as it is", async (file, at_least) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) =>
    block
      .split("\n")
      .flatMap((line) => /(?:^|\$\()(letterslot [^#)&]*)/.exec(asInstalled(line))?.[1]?.trim() ?? []),
  );
  expect(lines.length).toBeGreaterThanOrEqual(at_least);
  for (const line of lines.filter((each) => !each.endsWith("--help"))) {
    const ran = await parsed(shellWords(line).slice(1)).catch((error: unknown) => {
      throw new Error(`${line}: ${String(error)}`);
    });
    expect(ran, line).toBeDefined();
  }
});

test("the help of the program loads no command, and names each", () => {
  for (const [name, entry] of Object.entries(ROOT.commands)) {
    expect(entry, name).toHaveProperty("load");
    expect(entry.summary, name).not.toMatch(/\.$/);
  }
});

test("the help that is written down is what the program says", async () => {
  let said = "";
  const stream = {
    columns: 200,
    write: (text: string | Uint8Array) => ((said += String(text)), true),
    on: () => 0,
  };
  const world = {
    stdin: process.stdin,
    stdout: stream,
    stderr: stream,
    env: {},
    version: "1",
    on: () => 0,
    exit: () => 0,
  };
  expect(await runProgram(["--help"], world)).toBe(0);
  expect(said).toBe(HELP);
  expect(HELP).toContain("inboxes");
});

describe("options", () => {
  test.each([
    ["a number", "inboxes list --limit 5", { limit: 5 }],
    ["a short name", "inboxes list -n 5", { limit: 5 }],
    [
      "underscores",
      "call messages.get --inbox_id a --message_id b --max_chars 9",
      { inbox_id: "a", max_chars: 9 },
    ],
    [
      "dashes",
      "call messages.get --inbox-id a --message-id b --max-chars 9",
      { message_id: "b", max_chars: 9 },
    ],
    ["a value with =", "call messages.get --inbox-id=a --message-id=b", { inbox_id: "a", message_id: "b" }],
    ["a list", "call messages.send --inbox-id a --to b --to c", { to: ["b", "c"] }],
    ["what isn't given", "call messages.send --inbox-id a --to b", { subject: undefined, cc: [] }],
    ["json", 'call webhooks.create --url u --headers {"a":1}', { headers: { a: 1 } }],
    ["yes", "inboxes update a --sms-tasks", { sms_tasks: true }],
    ["no", "inboxes update a --no-sms-tasks", { sms_tasks: false }],
    ["null", "inboxes update a --no-display-name", { display_name: null }],
    ["a word that begins with a dash, after --", "messages search -- -from:bob", { q: "-from:bob" }],
  ])("%s", async (_, line, input) => {
    expect(await parsed(line.split(" "))).toMatchObject(input);
  });

  test.each([
    ["an unknown one", "inboxes list --limt 5"],
    ["no number", "inboxes list --limit five"],
    ["half a number", "inboxes list --limit 2.5"],
    ["nothing", "inboxes list --limit"],
    ["broken JSON", "call webhooks.create --url u --headers {a"],
    ["another choice", "tasks list --status finished"],
    ["a deletion of an inbox that isn't named", "call inboxes.delete"],
    ["a phone number given back for an inbox that isn't named", "call phoneNumbers.delete"],
    ["a missing one that is needed", "call tasks.get"],
    ["a missing word", "messages read"],
    ["a word too much", "messages read a b"],
    ["an unknown command", "inboxen list"],
    ["an unknown command of a group", "inboxes lits"],
    ["a group alone", "inboxes"],
  ])("%s is refused", async (_, line) => {
    await expect(parsed(line.split(" "))).rejects.toMatchObject({ name: "CommanderError" });
  });
});

describe("completion", () => {
  test.each([
    ["", "inboxes"],
    ["in", "inboxes"],
    ["inboxes cr", "create"],
    ["inboxes create --dis", "--display-name"],
    ["inboxes update a --no-dis", "--no-display-name"],
    ["tasks list --status ", "pending"],
    ["tasks list --status in", "in_progress"],
    ["call messages.se", "messages.send"],
    ["call tasks.update --status d", "done"],
    ["--pro", "--profile"],
    ["--profile work inboxes li", "list"],
    ["completion b", "bash"],
  ])("of %j has %s", async (typed, word) => {
    expect(await possibleWords(ROOT, typed.split(" "))).toContain(word);
  });

  test.each([["nonsense "], ["inboxes list --limit "], ["nonsense --x"]])(
    "of %j has nothing",
    async (typed) => {
      expect(await possibleWords(ROOT, typed.split(" "))).toEqual([]);
    },
  );
});

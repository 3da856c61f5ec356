import { COMMON, dashedName } from "./build.ts";
import type { Command, Field, Fields, Group, Lazy } from "./command.ts";

/** Completes the last of some typed words: commands, options, or the values of an option or argument. */
export async function possibleWords(root: Group, typed: readonly string[]): Promise<string[]> {
  const last = typed.at(-1) ?? "";
  let place: Command | Group = root;
  let given = typed.slice(0, -1);
  while ("commands" in place) {
    const [index] = positionsOfWords(given, COMMON);
    if (index === undefined) break;
    const entry: Command | Group | Lazy | undefined = place.commands[given[index] ?? ""];
    if (entry === undefined) return [];
    place = "load" in entry ? await entry.load() : entry;
    given = given.slice(index + 1);
  }
  if ("commands" in place)
    return startingWith(last, last.startsWith("-") ? optionWords(COMMON) : Object.keys(place.commands));
  const fields: Fields = { ...COMMON, ...place.options };
  const before = fieldOfWord(given.at(-1), fields);
  if (before !== undefined && takesValue(before)) return startingWith(last, before.choices ?? []);
  if (last.startsWith("-")) return startingWith(last, optionWords(fields));
  const { length } = positionsOfWords(given, fields);
  return startingWith(last, Object.values(place.args ?? {})[length]?.choices ?? []);
}

const startingWith = (start: string, names: readonly string[]): string[] =>
  names.filter((name) => name.startsWith(start));

const takesValue = ({ kind }: Field): boolean => kind !== "flag" && kind !== "switch";

const optionWords = (fields: Fields): string[] => [
  ...Object.entries(fields).flatMap(([name, { kind, nullable }]) => [
    `--${dashedName(name)}`,
    ...(kind === "switch" || nullable === true ? [`--no-${dashedName(name)}`] : []),
  ]),
  "--help",
];

const fieldOfWord = (word: string | undefined, fields: Fields): Field | undefined =>
  Object.entries(fields).find(
    ([name, { short }]) =>
      word === `--${dashedName(name)}` || word === `--${name}` || word === `-${short ?? "-"}`,
  )?.[1];

/** Returns the positions of the words that are neither options nor values of options. */
function positionsOfWords(words: readonly string[], fields: Fields): number[] {
  return words.flatMap((word, index) => {
    if (word.startsWith("-")) return [];
    const before = fieldOfWord(words[index - 1], fields);
    return before === undefined || !takesValue(before) ? [index] : [];
  });
}

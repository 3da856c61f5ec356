/** The text of a guard, which occurs exactly once in its file, and the text that replaces it. */
export interface Edit {
  file: string;
  text: string;
  without: string;
}

/** A guard, how to remove it, and the test that must then fail. */
export interface Guard {
  /** What the guard ensures, as a fact. */
  name: string;
  /** Several edits if other guards back this one up: the test fails when all of them are gone. */
  out: readonly Edit[];
  /** The test file, and optionally a part of the names of the tests to run. */
  test: { file: string; name?: string };
}

/** A guard that is removed by one edit, or by several in one file. */
export function guard(
  name: string,
  [file, ...texts]: [string, ...string[]],
  [test, only]: [string, string?],
): Guard {
  const out: Edit[] = [];
  for (let index = 0; index < texts.length; index += 2)
    out.push({ file, text: texts[index] as string, without: texts[index + 1] ?? "" });
  return { name, out, test: { file: test, ...(only === undefined ? {} : { name: only }) } };
}

/** A guard backed up by others, which are removed with it. */
export const behind = (first: Guard, ...others: Edit[]): Guard => ({
  ...first,
  out: [...first.out, ...others],
});

/** One more edit for `behind`. */
export const edit = (file: string, text: string, without = ""): Edit => ({ file, text, without });

/**
 * A text of a file that makes a guard, and what stands there without it. The text is in its file exactly
 * once.
 */
export interface Edit {
  file: string;
  text: string;
  without: string;
}

/** A guard, how it is taken out, and the test that fails then. */
export interface Guard {
  /** What it keeps from happening, as a fact. */
  name: string;
  /** Several edits where one guard stands behind another: the test fails when all of them are gone. */
  out: readonly Edit[];
  /**
   * The test file, and a part of the name of the tests in it that are run. All of them unless a name is
   * given.
   */
  test: { file: string; name?: string };
}

/** A guard that is taken out by a single edit, or by several in one file. */
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

/** A guard behind which others stand, which are taken out with it. */
export const behind = (first: Guard, ...others: Edit[]): Guard => ({
  ...first,
  out: [...first.out, ...others],
});

/** One more thing to take out. */
export const edit = (file: string, text: string, without = ""): Edit => ({ file, text, without });

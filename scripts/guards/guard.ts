/** A text that occurs exactly once in its file, and the text that replaces it (nothing, where left out). */
export type Edit = readonly [file: string, text: string, without?: string];

/** A guard, how to remove it, and the test that must then fail. */
export interface Guard {
  /** The guarantee, stated as a fact. */
  name: string;
  /** Several edits if other guards back this one up: the test fails when all of them are gone. */
  out: readonly Edit[];
  /** The test file, and optionally a part of the names of the tests to run. */
  test: readonly [file: string, name?: string];
}

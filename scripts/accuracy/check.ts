/** One result of a case: the measure, and whether it was right. */
export interface Check {
  /** The measure, in a few words; the checks of one measure are counted together. */
  measure: string;
  ok: boolean;
  id: string;
  /** The class of the failure, in a few words; empty if it was right. */
  why: string;
  /** The expected and the actual value. */
  detail: string;
  /** The score from 0 to 1, where a set has scores; otherwise 1 if it was right and 0 if not. */
  score?: number;
}

/** A public test set: how to score a case of its file, and the share of right answers each measure must reach. */
export interface TestSet<Case> {
  file: string;
  targets: Readonly<Record<string, number>>;
  score(entry: Case): Check[] | Promise<Check[]>;
}

/** A test set with cases of any shape. */
export type AnyTestSet = Omit<TestSet<unknown>, "score"> & {
  score(entry: never): Check[] | Promise<Check[]>;
};

/** Creates a check; `why` is called only on failure. */
export function check(
  measure: string,
  id: string,
  ok: boolean,
  why: () => [why: string, detail: string],
): Check {
  const [reason, detail] = ok ? ["", ""] : why();
  return { measure, id, ok, why: reason, detail };
}

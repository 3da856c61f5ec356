/** One question that a case asks of the product, and whether the answer was right. */
export interface Check {
  /** What is measured, in a few words; checks of one measure are counted together. */
  measure: string;
  ok: boolean;
  id: string;
  /** The class of the failure, in a few words; empty when it is right. */
  why: string;
  /** What was wanted and what came, for a look at one failure. */
  detail: string;
}

/**
 * A public test set: how a case of its file is scored, and the share of right answers that each measure has
 * to reach.
 */
export interface TestSet<Case> {
  file: string;
  targets: Readonly<Record<string, number>>;
  score(entry: Case): Check[] | Promise<Check[]>;
}

/** A test set whose cases' shape is its own matter. */
export type AnyTestSet = Omit<TestSet<unknown>, "score"> & {
  score(entry: never): Check[] | Promise<Check[]>;
};

/** A check; `why` and `detail` are asked for only where it failed. */
export function check(
  measure: string,
  id: string,
  ok: boolean,
  why: () => [why: string, detail: string],
): Check {
  const [reason, detail] = ok ? ["", ""] : why();
  return { measure, id, ok, why: reason, detail };
}

import type { SignalType } from "../../../catalogue/signals.ts";
import type { FittedWeights } from "../../../model/screening.ts";
import weights from "./weights.json" with { type: "json" };

interface SignalWeight {
  /** The weight that we gave the signal. */
  given: number;
  /** Its weight on real mail, where that has the signal often enough. */
  fitted?: number;
}

const WEIGHTS: Readonly<Record<SignalType, SignalWeight>> = weights.signals;
const kinds = Object.keys(WEIGHTS) as SignalType[];

/**
 * The weight that we gave each signal. Below 40, it takes a second signal to hold a mail, whatever the fitting finds;
 * signals of 40 and above have no honest use in ordinary mail that we have seen.
 */
export const GIVEN_WEIGHTS = Object.fromEntries(kinds.map((type) => [type, WEIGHTS[type].given])) as Readonly<
  Record<SignalType, number>
>;

/** The weights by which mail is scored; `scripts/fit-screening.ts` writes those that real mail tells. */
export const FITTED: FittedWeights = {
  alone: Object.fromEntries(
    kinds.flatMap((type) => {
      const { fitted } = WEIGHTS[type];
      return fitted === undefined ? [] : [[type, fitted]];
    }),
  ),
  together: Object.entries(weights.together).map(([pair, weight]) => {
    const [one, other] = pair.split(" ") as [SignalType, SignalType];
    return [one, other, weight] as const;
  }),
};

/** The bounds of a figure; the run reports when they are missed. */
export interface Target {
  at_least?: number;
  at_most?: number;
}

/** One figure of a metric: the median over its rounds, with the lowest and highest. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  spread?: readonly [number, number];
  target?: Target;
}

/** A line of the chart: cost against stored mail. */
export interface Curve {
  name: string;
  /** Pairs of stored mails and microseconds of CPU per operation. */
  points: readonly (readonly [number, number])[];
}

/** The result of a metric. */
export interface Outcome {
  figures: Figure[];
  curves?: Curve[];
  /** Remarks, such as what was skipped and why. */
  notes?: string[];
}

/** The settings of this run. */
export interface Run {
  /** The size of the largest store. */
  mails: number;
  /** Rounds per contestant, and the duration of one. */
  rounds: number;
  round_ms: number;
  seed: number;
  /** Only checks that the programs work: everything is small. */
  quick: boolean;
  /** Prints progress. */
  log(line: string): void;
}

/** A measurement. */
export interface Metric {
  title: string;
  measure(run: Run): Promise<Outcome>;
}

/** Whether a figure meets its target; true without a target. */
export function meets({ value, target }: Figure): boolean {
  if (target === undefined) return true;
  return value >= (target.at_least ?? -Infinity) && value <= (target.at_most ?? Infinity);
}

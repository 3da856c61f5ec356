/** What a figure should be; the run says so when it is not. */
export interface Target {
  at_least?: number;
  at_most?: number;
}

/** One figure of a metric: the median over its rounds, and the lowest and highest of them. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  spread?: readonly [number, number];
  target?: Target;
}

/** A line of the picture: cost against stored mail. */
export interface Curve {
  name: string;
  /** Stored mails, and microseconds of CPU for one operation. */
  points: readonly (readonly [number, number])[];
}

/** What a metric came to. */
export interface Outcome {
  figures: Figure[];
  curves?: Curve[];
  /** What was left out of this run, and why. */
  notes?: string[];
}

/** How this run measures. */
export interface Run {
  /** The largest store. */
  mails: number;
  /** Rounds of each contestant, and how long one lasts. */
  rounds: number;
  round_ms: number;
  seed: number;
  /** Says how far the run is. */
  say(line: string): void;
}

/** A program that measures one thing. */
export interface Metric {
  title: string;
  measure(run: Run): Promise<Outcome>;
}

/** Whether a figure is what it should be; true without a target. */
export function meets({ value, target }: Figure): boolean {
  return value >= (target?.at_least ?? -Infinity) && value <= (target?.at_most ?? Infinity);
}

/** The `q` quantile (0 to 1) of the values; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The median with the lowest and highest value, as a figure shows its rounds. */
export function summary(values: readonly number[]): { value: number; spread: readonly [number, number] } {
  return { value: median(values), spread: [Math.min(...values), Math.max(...values)] };
}

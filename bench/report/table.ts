import { type Figure, meets } from "../metric.ts";

/** Formats figures as lines for a terminal. */
export function formatTable(figures: readonly Figure[]): string {
  const width = Math.max(0, ...figures.map(({ name }) => name.length));
  return figures
    .map((figure) => {
      const { name, value, unit, spread } = figure;
      const range = spread === undefined ? "" : `(${number(spread[0])} to ${number(spread[1])})`;
      return `    ${name.padEnd(width)}  ${`${number(value)} ${unit}`.padStart(14)}  ${range.padEnd(20)} ${formatTarget(figure)}`.trimEnd();
    })
    .join("\n");
}

/** Formats a figure's target and whether it is met. */
export function formatTarget(figure: Figure): string {
  const { target } = figure;
  if (target === undefined) return "";
  const words = target.at_least === undefined ? `at most ${target.at_most}` : `at least ${target.at_least}`;
  return `${words}: ${meets(figure) ? "met" : "missed"}`;
}

/** Formats a number with about three significant digits; what never ended is infinite. */
export function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "∞";
  if (!Number.isFinite(value)) return "unknown";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

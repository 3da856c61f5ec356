import type { Outcome } from "../metric.ts";
import { formatTarget, number } from "./table.ts";

/** Formats figures as a Markdown table, for `docs/performance.md`. */
export function formatMarkdown(outcomes: Readonly<Record<string, Outcome>>): string {
  const rows = Object.values(outcomes).flatMap(({ figures }) =>
    figures.map((figure) => {
      const { name, value, unit, spread } = figure;
      const range = spread === undefined ? "" : `${number(spread[0])} to ${number(spread[1])}`;
      return `| ${name} | ${number(value)} ${unit} | ${range} | ${formatTarget(figure)} |`;
    }),
  );
  return ["| figure | median | rounds | target |", "|---|---|---|---|", ...rows, ""].join("\n");
}

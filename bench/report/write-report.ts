import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Outcome, Run } from "../metric.ts";
import { drawChart } from "./chart.ts";
import { formatMarkdown } from "./markdown.ts";

const folder = new URL("../../test-output/bench/", import.meta.url);
const INFINITE = "infinite";
const results = new URL("results.json", folder);

/**
 * Writes `results.json`, `results.md` and, if growth was measured, `growth.svg` to test-output/bench, and
 * returns the folder. Earlier results of other metrics are kept, each with its own time.
 */
export function writeReport(run: Run, outcomes: Record<string, Outcome>): string {
  mkdirSync(folder, { recursive: true });
  const { mails, rounds, round_ms, seed } = run;
  const [processor] = cpus();
  const memory_gb = Math.round(totalmem() / 2 ** 30);
  const machine = {
    cpu: processor?.model ?? "unknown",
    cores: cpus().length,
    memory_gb,
    node: process.version,
  };
  const taken = { measured_at: new Date().toISOString(), machine, run: { mails, rounds, round_ms, seed } };
  const fresh = Object.fromEntries(
    Object.entries(outcomes).map(([name, outcome]) => [name, { ...taken, ...outcome }]),
  );
  const all = { ...earlier(), ...fresh };
  writeFileSync(results, `${JSON.stringify(all, writeInfinity, 2)}\n`);
  writeFileSync(new URL("results.md", folder), formatMarkdown(all));
  const curves = Object.values(outcomes).flatMap((outcome) => outcome.curves ?? []);
  if (curves.length > 0) writeFileSync(new URL("growth.svg", folder), drawChart(curves));
  return fileURLToPath(folder);
}

/** JSON has no infinity: what never ended would be shown as unknown. */
const writeInfinity = (_: string, value: unknown): unknown =>
  value === Number.POSITIVE_INFINITY ? INFINITE : value;

const readInfinity = (_: string, value: unknown): unknown =>
  value === INFINITE ? Number.POSITIVE_INFINITY : value;

function earlier(): Record<string, Outcome> {
  return existsSync(results)
    ? (JSON.parse(readFileSync(results, "utf8"), readInfinity) as Record<string, Outcome>)
    : {};
}

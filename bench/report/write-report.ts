import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Outcome, Run } from "../metric.ts";
import { pictureOf } from "./picture.ts";

const folder = new URL("../../test-output/bench/", import.meta.url);

/** Writes `results.json`, and `growth.svg` when growth was measured, into test-output/bench; answers the folder. */
export function writeReport(run: Run, outcomes: Record<string, Outcome>): string {
  mkdirSync(folder, { recursive: true });
  const { mails, rounds, round_ms, seed } = run;
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const report = { measured_at: new Date().toISOString(), machine, run: { mails, rounds, round_ms, seed }, outcomes };
  writeFileSync(new URL("results.json", folder), `${JSON.stringify(report, null, 2)}\n`);
  const curves = Object.values(outcomes).flatMap((outcome) => outcome.curves ?? []);
  if (curves.length > 0) writeFileSync(new URL("growth.svg", folder), pictureOf(curves));
  return fileURLToPath(folder);
}

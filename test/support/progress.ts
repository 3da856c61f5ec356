import { caseCount } from "./case-count.ts";

const REPORTS = 20;
/** Prints a line in `pnpm soak`, which runs for long; nothing in `pnpm test`. */
export const printProgress = caseCount((_line: string) => {}, console.log);

/** Returns a function to call after each case; in `pnpm soak` it prints the progress at every twentieth. */
export function createProgress(what: string, cases: number): () => void {
  let done = 0;
  const partsDone = () => Math.floor((done * REPORTS) / cases);
  return () => {
    const before = partsDone();
    done += 1;
    if (partsDone() > before) printProgress(`  ${done} of ${cases} ${what}`);
  };
}

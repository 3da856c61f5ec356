import { caseCount } from "./case-count.ts";

const parts = 20;
/** Says a line under `pnpm soak`, whose reader waits for long; nothing in `pnpm test`. */
export const tell = caseCount((_line: string) => {}, console.log);

/**
 * What to call after each case of a long proof: under `pnpm soak` each twentieth of them says how far it is.
 */
export function progress(what: string, cases: number): () => void {
  let done = 0;
  const partsDone = () => Math.floor((done * parts) / cases);
  return () => {
    const before = partsDone();
    done += 1;
    if (partsDone() > before) tell(`  ${done} of ${cases} ${what}`);
  };
}

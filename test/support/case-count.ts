/** The amount of work of a proof: `few` in `pnpm test`, `many` in `pnpm soak`, which sets SOAK. */
export function caseCount<T>(few: T, many: T): T {
  return process.env["SOAK"] === undefined ? few : many;
}

/**
 * The cases of one kind: `few` in `pnpm test`, which take each way once, and `all` with `pnpm test -- --only storages`
 * and in `pnpm soak`.
 */
export function casesOf<T>(few: T, all: T): T {
  return process.env["LETTERSLOT_TEST_STORAGE"] === undefined ? caseCount(few, all) : all;
}

/** The seed of random proofs: constant unless PROOF_SEED is set, so that a failure can be reproduced. */
export const PROOF_SEED = Number(process.env["PROOF_SEED"] ?? 20_261_120);

/** The timeout of a proof, generous for a busy machine, so that only a hang reaches it. */
export const PROOF_TIMEOUT_MS = caseCount(600_000, 4 * 3_600_000);

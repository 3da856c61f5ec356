/** How much a proof does: `few` in `pnpm test`, `many` under `pnpm soak`, which sets SOAK. */
export function caseCount<T>(few: T, many: T): T {
  return process.env["SOAK"] === undefined ? few : many;
}

/**
 * The seed of random proofs: always the same unless PROOF_SEED says otherwise, so that what fails can be run
 * again.
 */
export const PROOF_SEED = Number(process.env["PROOF_SEED"] ?? 20_261_120);

/** How long a proof may take, on a machine that does much else: only what hangs meets it. */
export const proofTimeoutMs = caseCount(600_000, 4 * 3_600_000);

import fc from "fast-check";
import { PROOF_SEED } from "./case-count.ts";

/** Vitest's setupFiles: random cases are the same in each run, so that a change alone makes a test fail. */
fc.configureGlobal({ seed: PROOF_SEED });

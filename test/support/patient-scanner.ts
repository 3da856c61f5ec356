import { createContentScanner } from "../../packages/content-scan/src/index.ts";

/** A scanner of content whose deadline a busy machine meets too. Close it at the end. */
export const createPatientScanner = () =>
  createContentScanner({ fingerprintKey: new Uint8Array(32).fill(7), deadlineMs: 20_000 });

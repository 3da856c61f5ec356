import { createProgram } from "./program.ts";
import { HELP_COLUMNS } from "./world.ts";

const out = { columns: HELP_COLUMNS, write: () => true, on: () => undefined };

/** The output of `letterslot --help`. It is rendered at build time, so that it only has to be printed. */
export const HELP: string = createProgram(
  { stdout: out, stderr: out, env: {}, version: "" },
  async () => undefined,
).helpInformation();

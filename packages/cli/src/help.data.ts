import { createProgram } from "./program.ts";
import { HELP_COLUMNS } from "./world.ts";

const out = { columns: HELP_COLUMNS, write: () => true, on: () => undefined };

/** What `letterslot --help` prints. The build writes it down, so that it costs no more than to print it. */
export const HELP: string = createProgram(
  { stdout: out, stderr: out, env: {}, version: "" },
  async () => undefined,
).helpInformation();

import { createProgram } from "./program.ts";
import { HELP_COLUMNS } from "./world.ts";

const said: string[] = [];
const out = {
  columns: HELP_COLUMNS,
  write: (text: string | Uint8Array) => said.push(String(text)) > 0,
  on: () => undefined,
};
createProgram({ stdout: out, stderr: out, env: {}, version: "" }, async () => undefined).outputHelp();

/** The output of `letterslot --help`. It is rendered at build time, so that it only has to be printed. */
export const HELP: string = said.join("");

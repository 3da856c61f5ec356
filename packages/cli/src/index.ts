/** @letterslot/cli: the letterslot command. */
export { runCli } from "./cli.ts";
export type { World } from "./world.ts";

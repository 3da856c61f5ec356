/** @letterslot/cli: the letterslot command. */
export { runCli, type World } from "./cli.ts";

/** @letterslot/cli: the letterslot command. */
export {};

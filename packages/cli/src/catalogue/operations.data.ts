import { operations } from "@letterslot/core";
import { factsOf, type OperationFacts } from "./facts.ts";

/**
 * The facts of every operation. The build writes them down as they are here, so that the program needn't load the whole
 * of core to know them.
 */
export const OPERATIONS: Record<string, OperationFacts> = factsOf(operations);

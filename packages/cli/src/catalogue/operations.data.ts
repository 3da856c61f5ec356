import { operations } from "@letterslot/core/internal";
import { factsOf, type OperationFacts } from "./facts.ts";

/** The facts of every operation. The build evaluates this file, so that the program needn't load the whole of core. */
export const OPERATIONS: Record<string, OperationFacts> = factsOf(operations);

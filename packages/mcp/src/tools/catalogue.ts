import type { OperationName } from "@letterslot/core";
import { mayCall, type Operation, operations, type Tool, toolsOfOperation } from "@letterslot/core/internal";
import type { ToolCaller } from "./host.ts";

/** A tool, and the operation that it calls. */
export interface CatalogueTool {
  tool: Tool;
  name: OperationName;
  operation: Operation;
}

/** Tools by their name. */
export type ToolCatalogue = ReadonlyMap<string, CatalogueTool>;

/** Returns the tools of operations, all of whose facts are on the operation. */
export function catalogueOf(groups: Record<string, Record<string, unknown>>): ToolCatalogue {
  const entries = Object.entries(groups).flatMap(([group, verbs]) =>
    Object.entries(verbs).flatMap(([verb, value]) => {
      const operation = value as Operation;
      const name = `${group}.${verb}` as OperationName;
      return toolsOfOperation(operation).map((tool) => [tool.name, { tool, name, operation }] as const);
    }),
  );
  return new Map(entries);
}

/** Every tool that there is. */
export const TOOLS: ToolCatalogue = catalogueOf(operations);

/** Whether a caller is offered a tool: whether it may call its operation at all. */
export function isOffered(caller: ToolCaller, { operation }: CatalogueTool): boolean {
  return mayCall(caller, operation);
}

/** The one inbox that a caller is held to. Undefined: it reaches several. */
export const oneInboxOf = ({ inbox_ids }: ToolCaller): string | undefined =>
  inbox_ids?.length === 1 ? inbox_ids[0] : undefined;

/** The tool that lists the records of an operation that lists them, for a sentence to a model. */
export function toolNameOf(name: OperationName, catalogue: ToolCatalogue): string | undefined {
  for (const [tool_name, tool] of catalogue) if (tool.name === name) return tool_name;
  return undefined;
}

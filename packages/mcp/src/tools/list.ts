import { type CatalogueTool, isOffered, oneInboxOf, TOOLS, type ToolCatalogue } from "./catalogue.ts";
import type { ToolCaller } from "./host.ts";
import { inputSchemaOf } from "./input-schema.ts";
import type { ObjectSchema } from "./json-schema.ts";
import { outputSchemaOf } from "./output-schema.ts";
import { attachingField } from "./reference-fields.ts";

/** A tool as models are shown it, in the shape of MCP's Tool. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

/** Returns the tools that a caller may call, each with its input for this caller. `files`: they may name files to attach. */
export function toolsOf(caller: ToolCaller, catalogue: ToolCatalogue = TOOLS, files = false): OfferedTool[] {
  const held = oneInboxOf(caller) !== undefined;
  return [...catalogue.values()]
    .filter((entry) => isOffered(caller, entry))
    .map((entry) => {
      const offer = offerOf(entry, held);
      return files && attachingField(entry) !== undefined
        ? { ...offer, inputSchema: inputSchemaOf(entry, held, true) }
        : offer;
    });
}

const known = new WeakMap<CatalogueTool, Partial<Record<"all" | "held", OfferedTool>>>();

/** A tool as a caller is offered it, made once. `held`: the caller is held to one inbox. */
export function offerOf(entry: CatalogueTool, held: boolean): OfferedTool {
  const forms = known.get(entry) ?? {};
  known.set(entry, forms);
  const form = held ? "held" : "all";
  const tool = forms[form] ?? newOffer(entry, held);
  forms[form] = tool;
  return tool;
}

const newOffer = (entry: CatalogueTool, held: boolean): OfferedTool => ({
  name: entry.tool.name,
  description: entry.tool.description,
  inputSchema: inputSchemaOf(entry, held),
  outputSchema: outputSchemaOf(entry),
  annotations: hintsOf(entry),
});

/**
 * MCP's defaults are that a tool may destroy, has an effect each time and reaches the open world, so only deviations
 * are stated.
 */
function hintsOf({ tool, operation }: CatalogueTool): OfferedTool["annotations"] {
  const { destructive, idempotent, open_world } = tool.hints ?? {};
  const world = open_world === true ? {} : { openWorldHint: false };
  if (operation.effect === "read") return { readOnlyHint: true, ...world };
  return {
    ...(destructive === true || operation.effect === "delete" ? {} : { destructiveHint: false }),
    ...(idempotent === true ? { idempotentHint: true } : {}),
    ...world,
  };
}

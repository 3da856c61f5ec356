import type { CatalogueTool } from "./catalogue.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The fields of operations that take attachments. A model can't write a file, so tools take references instead. */
const FIELDS = ["attachments", "add_attachments"] as const;
const IDS: JsonSchema = { type: "array", items: { type: "string" } };
const REFERENCES: Readonly<Record<string, JsonSchema>> = {
  attachment_ids: { ...IDS, description: "To attach, of mail or drafts of this inbox" },
  upload_ids: { ...IDS, description: "To attach, from create_upload_link" },
};
/** A file of the machine that the tools run on. */
const FILE: JsonSchema = { type: "string", description: "To attach: a path in the shared folder" };

/** The field of a tool's operation that takes attachments; undefined where the tool attaches nothing. */
export const attachingField = ({ operation, tool }: CatalogueTool): string | undefined =>
  FIELDS.find((name) => name in operation.input.shape && tool.without?.includes(name) !== true);

/** What a tool takes instead of that field. `files`: models may name files. */
export function referenceFields(entry: CatalogueTool, files: boolean): Record<string, JsonSchema> {
  if (attachingField(entry) === undefined) return {};
  return files ? { ...REFERENCES, file: FILE } : REFERENCES;
}

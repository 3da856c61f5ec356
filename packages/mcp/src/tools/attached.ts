import type { CatalogueTool } from "./catalogue.ts";
import { ToolError } from "./failure.ts";
import type { ToolHost } from "./host.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The fields of operations that take attachments. A model can't write a file, so tools take references instead. */
const FIELDS = ["attachments", "add_attachments"] as const;
/** More than one mail may have. */
const MAX_IDS = 100;

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

/** A call's input with what it refers to as the operation takes it; a file is uploaded first. */
export async function withAttachments(
  host: ToolHost,
  entry: CatalogueTool,
  args: Record<string, unknown>,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const field = attachingField(entry);
  if (field === undefined) return input;
  const given: Record<string, string>[] = [
    ...idsIn(args, "attachment_ids").map((attachment_id) => ({ attachment_id })),
    ...idsIn(args, "upload_ids").map((upload_id) => ({ upload_id })),
  ];
  const { file } = args;
  if (host.uploadFile !== undefined && file != null) {
    if (typeof file !== "string") throw wrong("file", "a path");
    given.push(await host.uploadFile(await inboxOf(host, input), file));
  }
  return given.length === 0 ? input : { ...input, [field]: given };
}

function idsIn(args: Record<string, unknown>, name: string): string[] {
  const value = args[name] ?? [];
  // Models often leave the brackets out.
  const ids = typeof value === "string" ? [value] : value;
  const isList = Array.isArray(ids) && ids.length <= MAX_IDS && ids.every((id) => typeof id === "string");
  if (!isList) throw wrong(name, "a list of ids");
  return ids;
}

const wrong = (param: string, what: string): ToolError =>
  new ToolError({ code: "invalid_request", message: `${param} is not ${what}.`, fix: "Correct it.", param });

/** A reply to a task names its inbox by the task alone. */
async function inboxOf(host: ToolHost, { inbox_id, task_id }: Record<string, unknown>): Promise<string> {
  if (typeof inbox_id === "string") return inbox_id;
  const task = (await host.call("tasks.get", { task_id })) as { inbox_id: string };
  return task.inbox_id;
}

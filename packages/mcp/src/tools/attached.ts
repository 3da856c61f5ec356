import { quoteLine } from "@letterslot/core/mail";
import type { CatalogueTool } from "./catalogue.ts";
import { ToolError } from "./failure.ts";
import type { ToolHost } from "./host.ts";
import { attachingField } from "./reference-fields.ts";

/** More than one mail may have. */
const MAX_IDS = 100;

/** A call's input with what it refers to as the operation takes it; a file is uploaded first, and once for the same `key`. */
export async function withAttachments(
  host: ToolHost,
  entry: CatalogueTool,
  key: string | undefined,
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
    const uploaded = await host.uploadFile(await inboxOf(host, input), file, key);
    if (uploaded === undefined) throw refused(file);
    given.push(uploaded);
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

const refused = (path: string): ToolError =>
  new ToolError({
    code: "file_refused",
    message: `${quoteLine(path, 200)} is no plain file in a folder that this server was started with.`,
    fix: "Put a copy of the file, not a link, into one of those folders, and give its path there.",
    param: "file",
  });

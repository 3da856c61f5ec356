import { LIMITS, type OperationName } from "@letterslot/core";
import { holdsAny } from "@letterslot/core/internal";
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { inboxUri, parseUri, type ResourceName, URI_TEMPLATES } from "./resource-uris.ts";
import { callTool } from "./tools/call-tool.ts";
import { isOffered, TOOLS } from "./tools/catalogue.ts";
import type { ToolHost } from "./tools/host.ts";

interface Template {
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** The operation whose tool reads it: the resource has the tool's text. */
  reads: OperationName;
}

const TEMPLATES: Record<ResourceName["kind"], Template> = {
  inbox: {
    name: "inbox",
    title: "Inbox",
    description: "The newest messages of an inbox, a line each.",
    mimeType: "text/markdown",
    reads: "messages.list",
  },
  message: {
    name: "message",
    title: "Message",
    description: "A message, with where each part of it comes from.",
    mimeType: "text/markdown",
    reads: "messages.marked",
  },
  thread: {
    name: "thread",
    title: "Thread",
    description: "The messages of a conversation.",
    mimeType: "text/markdown",
    reads: "threads.get",
  },
  attachment: {
    name: "attachment-text",
    title: "Text of an attachment",
    description: "The text of a PDF, a document, a table or a text file that came with a message.",
    mimeType: "text/plain",
    reads: "attachments.text",
  },
};

/** Returns the templates of resources that a caller can read, as `resources/templates/list` shows them. */
export async function templatesFor(host: ToolHost) {
  const caller = await host.caller();
  return Object.entries(TEMPLATES).flatMap(([kind, { reads, ...shown }]) => {
    const tool = toolThatReads(reads);
    const uriTemplate = URI_TEMPLATES[kind as ResourceName["kind"]];
    return tool !== undefined && isOffered(caller, tool) ? [{ uriTemplate, ...shown }] : [];
  });
}

const toolThatReads = (name: OperationName) => [...TOOLS.values()].find((tool) => tool.name === name);

/** A page of the caller's inboxes as resources; none for a caller that can't read them. */
export async function listResources(
  host: ToolHost,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { permissions } = await host.caller();
  if (!holdsAny(permissions, ["inbox_read"])) return { resources: [] };
  const page = (await host
    .call("inboxes.list", { limit: LIMITS.list_default, ...(cursor === undefined ? {} : { cursor }) })
    .catch(asProtocolError)) as { data: Inbox[]; next_cursor: string | null };
  const { description, mimeType } = TEMPLATES.inbox;
  const resources = page.data.map(({ email, display_name }) => ({
    uri: inboxUri(email),
    name: email,
    ...(display_name === null ? {} : { title: display_name }),
    description,
    mimeType,
  }));
  return page.next_cursor === null ? { resources } : { resources, nextCursor: page.next_cursor };
}

interface Inbox {
  email: string;
  display_name: string | null;
}

/** Reads a resource: the text of the tool that reads it. Fails when there is none that the caller can read. */
export async function readResource(
  host: ToolHost,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const name = parseUri(uri);
  if (name === undefined) throw new ResourceNotFoundError(uri);
  const { reads, mimeType } = TEMPLATES[name.kind];
  const found = toolThatReads(reads);
  if (found === undefined || !isOffered(await host.caller(), found)) throw new ResourceNotFoundError(uri);
  const { content, isError } = await callTool(host, found.tool.name, argumentsOf(name), { signal });
  const text = content.map((part) => part.text).join("\n");
  if (isError === true) throw new ResourceNotFoundError(uri, text);
  return { contents: [{ uri, mimeType, text }] };
}

function argumentsOf(name: ResourceName): Record<string, unknown> {
  const inbox = { inbox_id: name.address };
  if (name.kind === "inbox") return inbox;
  if (name.kind === "attachment") return { ...inbox, message_id: name.message_id, attachment_id: name.id };
  return { ...inbox, [`${name.kind}_id`]: name.id };
}

/** Converts an error of the service into one of the protocol, with its remedy. */
export function asProtocolError(error: unknown): never {
  const { message, fix } = error as { message?: string; fix?: string };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, [message, fix].filter(Boolean).join(" "));
}

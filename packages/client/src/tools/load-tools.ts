import { LetterslotApiError } from "../error.ts";
import { type CallOptions, type ClientOptions, request } from "../request.ts";

/** Options of `loadTools`. */
export interface ToolsOptions extends Omit<ClientOptions, "workspace_id"> {
  apiKey: string;
  /** Only the tools with these names; default all that the key may use. */
  names?: readonly string[];
}

/** A tool's effects on the world, as MCP's annotations. */
export interface ToolHints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** The outcome of a call for the model: text, and the facts in it as data. An error includes a remedy. */
export interface ToolOutcome {
  text: string;
  data?: Record<string, unknown>;
  is_error: boolean;
}

/** A tool that the key may use. */
export interface AgentTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object. */
  parameters: Record<string, unknown>;
  hints: ToolHints;
  /**
   * Calls it. A failure of the call is an outcome for the model; throws `LetterslotApiError` when the server can't be
   * reached or doesn't know the key, or the signal's reason.
   */
  call(args: Record<string, unknown>, options?: Pick<CallOptions, "signal">): Promise<ToolOutcome>;
}

interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  annotations?: ToolHints;
}

interface CalledTool {
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The protocol version that needs no session. */
const PROTOCOL_VERSION = "2025-06-18";
/** Waits last at most 55 seconds. */
const TIMEOUT_MS = 120_000;

/**
 * The tools that a key may use, as the server offers them: a key without a permission doesn't see the tools that
 * need it. Throws `LetterslotApiError`; a name in `names` that isn't offered throws it with `unknown_tool`.
 */
export async function loadTools({ names, ...options }: ToolsOptions): Promise<AgentTool[]> {
  const client: ClientOptions = {
    timeoutMs: TIMEOUT_MS,
    ...options,
    fetch: mcpFetch(options.fetch ?? fetch),
  };
  const { tools } = await exchange<{ tools: ListedTool[] }>(client, "tools/list", {}, { repeatable: true });
  const missing = names?.filter((name) => !tools.some((tool) => tool.name === name)) ?? [];
  if (missing.length > 0)
    throw new LetterslotApiError({
      code: "unknown_tool",
      message: `The key may not use ${missing.join(", ")}. It may use ${tools.map(({ name }) => name).join(", ")}.`,
      status: null,
    });
  return tools
    .filter(({ name }) => names === undefined || names.includes(name))
    .map(({ name, description = "", inputSchema, annotations = {} }) => ({
      name,
      description,
      parameters: inputSchema,
      hints: annotations,
      call: (args, { signal } = {}) => call(client, { name, inputSchema, annotations }, args, signal),
    }));
}

/**
 * Calls the tool that a model named, with the arguments as it wrote them: an object, or its JSON. A name or arguments
 * that can't be used are an outcome that tells the model so.
 */
export async function callTool(
  tools: readonly AgentTool[],
  name: string,
  args: Record<string, unknown> | string,
  options?: Pick<CallOptions, "signal">,
): Promise<ToolOutcome> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    return refusal(
      `There is no tool ${JSON.stringify(name)}. Use one of: ${tools.map((each) => each.name).join(", ")}.`,
    );
  const given = typeof args === "string" ? parsed(args) : args;
  if (given === undefined) return refusal("The arguments are not a JSON object. Send one object.");
  return tool.call(given, options);
}

async function call(
  client: ClientOptions,
  { name, inputSchema, annotations = {} }: ListedTool,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<ToolOutcome> {
  const properties = (inputSchema["properties"] ?? {}) as Record<string, unknown>;
  // With an id of its own, a call that is repeated after a lost answer acts once.
  const once = "request_id" in properties && args["request_id"] === undefined;
  const {
    content,
    structuredContent,
    isError = false,
  } = await exchange<CalledTool>(
    client,
    "tools/call",
    { name, arguments: once ? { ...args, request_id: crypto.randomUUID() } : args },
    { repeatable: "request_id" in properties || annotations.readOnlyHint === true, signal },
  );
  return {
    text: content.map(({ text = "" }) => text).join("\n"),
    ...(structuredContent === undefined ? {} : { data: structuredContent }),
    is_error: isError,
  };
}

const refusal = (text: string): ToolOutcome => ({ text, is_error: true });

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** One request of JSON-RPC. */
async function exchange<T>(
  client: ClientOptions,
  method: string,
  params: Record<string, unknown>,
  { repeatable, signal }: { repeatable: boolean; signal?: AbortSignal | undefined },
): Promise<T> {
  const message = { jsonrpc: "2.0", id: 1, method, params };
  const read = async (response: Response): Promise<T> => {
    const answer = (await response.json()) as { result?: T; error?: { code: number; message: string } };
    if (answer.result !== undefined) return answer.result;
    throw new LetterslotApiError({
      code: "unexpected_answer",
      message: answer.error?.message ?? "The answer is no answer of MCP.",
      status: response.status,
    });
  };
  const retries = repeatable ? {} : { retries: 0 };
  // The header changes nothing at /mcp: it tells `request` that the call is safe to repeat.
  return request(
    { ...client, ...retries },
    { method: "POST", path: "/mcp", idempotent: true },
    message,
    { ...(signal === undefined ? {} : { signal }) },
    read,
  );
}

/** Adds the headers that Streamable HTTP requires. */
function mcpFetch(send: NonNullable<ClientOptions["fetch"]>): NonNullable<ClientOptions["fetch"]> {
  return (url, init) =>
    send(url, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL_VERSION,
      },
    });
}

import type { AgentTool } from "./load-tools.ts";

/** A function tool of OpenAI's Chat Completions. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A tool of Anthropic's Messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: "object" } & Record<string, unknown>;
}

/** A dynamic tool of the Vercel AI SDK, with the schema as its `jsonSchema` made it. */
export interface AiSdkTool<S> {
  type: "dynamic";
  description: string;
  inputSchema: S;
  execute(input: unknown, options: { abortSignal?: AbortSignal | undefined }): Promise<string>;
}

/** The tools as OpenAI's functions. Answer a call with the text of `callTool`. */
export const forOpenAI = (tools: readonly AgentTool[]): OpenAITool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));

/** The tools as Anthropic's. Answer a `tool_use` with the text of `callTool`, and its `is_error`. */
export const forAnthropic = (tools: readonly AgentTool[]): AnthropicTool[] =>
  tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: { ...parameters, type: "object" },
  }));

/** The tools for `generateText` and `streamText` of the Vercel AI SDK; `jsonSchema` is the SDK's. */
export const forAiSdk = <S>(
  tools: readonly AgentTool[],
  jsonSchema: (schema: Record<string, unknown>) => S,
): Record<string, AiSdkTool<S>> =>
  Object.fromEntries(
    tools.map(({ name, description, parameters, call }) => [
      name,
      {
        type: "dynamic",
        description,
        inputSchema: jsonSchema(parameters),
        execute: async (input, { abortSignal }) => {
          const { text } = await call(
            (input ?? {}) as Record<string, unknown>,
            abortSignal === undefined ? {} : { signal: abortSignal },
          );
          return text;
        },
      },
    ]),
  );

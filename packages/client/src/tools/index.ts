/** `@letterslot/client/tools`: what an agent's key may do as tools for language models, from the server's `/mcp`. */
export {
  type AiSdkTool,
  type AnthropicTool,
  forAiSdk,
  forAnthropic,
  forOpenAI,
  type OpenAITool,
} from "./frameworks.ts";
export {
  type AgentTool,
  callTool,
  loadTools,
  type ToolHints,
  type ToolOutcome,
  type ToolsOptions,
} from "./load-tools.ts";

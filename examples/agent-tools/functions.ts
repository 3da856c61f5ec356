// The same without a framework: the loop of an agent on OpenAI's or Anthropic's API. `ask` sends the conversation to
// the model; here it is all that depends on the provider.
import { callTool, forAnthropic, forOpenAI, loadTools, type ToolsOptions } from "@letterslot/client/tools";

/** A call that the model wants made. OpenAI writes the arguments as JSON, Anthropic as an object. */
interface WantedCall {
  id: string;
  name: string;
  args: string | Record<string, unknown>;
}

/** The result of a call, for the model. */
interface CallResult {
  id: string;
  text: string;
  is_error: boolean;
}

/** One turn: sends the earlier calls' results to the model, and returns its text and the calls that it wants. */
export type Ask<T> = (tools: T, results: CallResult[]) => Promise<{ text: string; calls: WantedCall[] }>;

const MAX_TURNS = 20;

/** Runs the loop with functions in OpenAI's form. */
export const runWithOpenAI = (server: ToolsOptions, ask: Ask<ReturnType<typeof forOpenAI>>) =>
  run(server, forOpenAI, ask);

/** Runs the loop with tools in Anthropic's form. */
export const runWithAnthropic = (server: ToolsOptions, ask: Ask<ReturnType<typeof forAnthropic>>) =>
  run(server, forAnthropic, ask);

async function run<T>(
  server: ToolsOptions,
  shape: (tools: Awaited<ReturnType<typeof loadTools>>) => T,
  ask: Ask<T>,
): Promise<string> {
  const tools = await loadTools(server);
  let results: CallResult[] = [];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const { text, calls } = await ask(shape(tools), results);
    if (calls.length === 0) return text;
    results = await Promise.all(
      calls.map(async ({ id, name, args }) => {
        const { text: said, is_error } = await callTool(tools, name, args);
        return { id, text: said, is_error };
      }),
    );
  }
  throw new Error(`The model wanted more than ${MAX_TURNS} turns.`);
}

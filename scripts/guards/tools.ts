import { type Guard, guard } from "./guard.ts";

const call = "packages/mcp/src/tools/call-tool.ts";
const facts = "packages/mcp/src/tools/facts.ts";
const text = "packages/mcp/src/tools/text.ts";
const calls = "packages/mcp/src/tools/call-tool.test.ts";
const lists = "packages/mcp/src/tools/list.test.ts";
const frames = "test/proofs/tool-frames.test.ts";

/** What language models may call, and what strangers can say to them by it. */
export const tools: Guard[] = [
  guard(
    "tools: a caller is shown what it may call, and nothing else",
    ["packages/mcp/src/tools/list.ts", ".filter((entry) => isOffered(caller, entry))"],
    [lists, "with a tool shows up"],
  ),
  guard(
    "tools: one that isn't shown can't be called",
    [
      call,
      "if (entry !== undefined && isOffered(caller, entry)) return entry;",
      "if (entry !== undefined) return entry;",
    ],
    [calls, "a tool that isn't offered"],
  ),
  guard(
    "tools: a call that is repeated with its request_id acts once",
    [call, "...(idempotency_key === undefined ? {} : { idempotency_key }),"],
    [calls, "makes a repeated call answer"],
  ),
  guard(
    "tools: a request_id means something else to another tool and another caller",
    [call, "JSON.stringify([tool.name, id, request_id])", "JSON.stringify([request_id])"],
    [calls, "means something else"],
  ),
  guard(
    "tools: what changes something takes whole ids only",
    [call, 'operation.effect === "read" ? withWholeIds', "operation !== undefined ? withWholeIds"],
    [calls, "must be whole where a tool changes"],
  ),
  guard(
    "tools: texts of others are on one line, without characters that show nothing",
    [facts, "return cleanLine(value, charsOf(name, place));", "return value;"],
    [frames, "letters that show nothing"],
  ),
  guard(
    "tools: texts of others are in quotes that they can't end",
    [text, "return PLAIN.test(fact) ? fact : JSON.stringify(fact);", "return fact;"],
    [frames, "quotes that end"],
  ),
  guard(
    "tools: names in anybody's JSON are in quotes too",
    [text, "!free && /^[a-z]", "/^[a-z]"],
    [frames, "letters that show nothing"],
  ),
  guard(
    "tools: JSON that somebody made up has no frame of its own",
    [facts, 'name === "text" && depth === 1 ? text', 'name === "text" ? text'],
    [frames, "lines of its own"],
  ),
];

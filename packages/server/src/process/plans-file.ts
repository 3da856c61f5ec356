import { readFileSync, statSync } from "node:fs";
import { Plans } from "@letterslot/core";
import { issueText } from "@letterslot/core/internal";
import { ConfigError } from "./config.ts";

/** Far more than the plans of any service take. */
const MAX_BYTES = 1024 * 1024;

/** The plans in the file that PLANS names; null without one. Throws `ConfigError`, which names the field at fault. */
export function readPlans(path: string | undefined): Plans | null {
  if (path === undefined) return null;
  const given = readJson(path);
  const parsed = Plans.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(
      (issue) =>
        `PLANS names ${path}, in which ${issueText({ issues: [issue] }, given)}. Set it as examples/plans.json does.`,
    ),
  );
}

function readJson(path: string): unknown {
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const problem =
      error instanceof SyntaxError ? `it is not JSON (${error.message})` : (error as Error).message;
    throw new ConfigError([
      `PLANS is ${JSON.stringify(path)}, which can't be read: ${problem}. Set it to a JSON file such as examples/plans.json, or leave it out.`,
    ]);
  }
}

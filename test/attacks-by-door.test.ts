import { createClient } from "@letterslot/client";
import { afterAll, describe, expect, test } from "vitest";
import { runPiped } from "../packages/cli/test/run-cli.ts";
import type { BoundOperations } from "../packages/core/src/letterslot.ts";
import {
  ATTACKS,
  type Attack,
  CONTENT_ATTACKS,
  type Door,
  MODES,
  outcomeOf,
  type Place,
  placeFor,
  premises,
} from "../packages/core/test/attacks.fixture.ts";
import { TOOLS } from "../packages/mcp/src/tools/catalogue.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { casesOf } from "./support/case-count.ts";
import { connectMcp, type McpClient } from "./support/mcp-clients.ts";
import { createPatientScanner } from "./support/patient-scanner.ts";

const contentScanner = createPatientScanner();
const undo: (() => unknown)[] = [() => contentScanner.close()];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

type Fields = Record<string, unknown>;
/** Calls an operation as `letterslot.as` and the client do: `as.messages.send({…})`. */
const operationsBy = (call: (operation: string, input: Fields) => Promise<unknown>) =>
  new Proxy({} as BoundOperations, {
    get: (_, resource: string) =>
      resource === "then"
        ? undefined
        : new Proxy(
            {},
            { get: (_none, verb: string) => (input: Fields) => call(`${resource}.${verb}`, input) },
          ),
  });

/** What a door without answers of its own to look at has done: the question that it made, if any. */
async function newestQuestion({ letterslot }: Served, before: ReadonlySet<string>): Promise<Fields> {
  const { storage } = letterslot.services;
  const approvals = await storage.find("approvals", { where: {}, limit: 1_000 });
  const [asked] = approvals.filter(({ id }) => !before.has(id)).map(({ id }) => ({ object: "approval", id }));
  return asked ?? { object: "message" };
}

async function answered(served: Served, run: () => Promise<void>): Promise<Fields> {
  const { storage } = served.letterslot.services;
  const before = await storage.find("approvals", { where: {}, limit: 1_000 });
  await run();
  return newestQuestion(served, new Set(before.map(({ id }) => id)));
}

class NotOffered extends Error {}

const DOORS: Record<"HTTP" | "MCP" | "CLI", (served: Served) => Door> = {
  HTTP: (served) => (apiKey) =>
    createClient({ baseUrl: served.base_url, apiKey, retries: 0 }) as unknown as BoundOperations,

  MCP: (served) => async (api_key) => {
    let client: McpClient | undefined;
    undo.push(() => client?.close());
    return operationsBy(async (operation, input) => {
      const [tool] = [...TOOLS].find(([, entry]) => entry.name === operation) ?? [];
      if (tool === undefined) throw new NotOffered(operation);
      client ??= await connectMcp("newest", {
        url: `${served.base_url}/mcp`,
        headers: { authorization: `Bearer ${api_key}` },
      });
      const connected = client;
      return answered(served, async () => {
        const { isError, content } = await connected.call(tool, input);
        const said = content.map(({ text }) => text).join("\n");
        // Models bring no bytes.
        if (said.startsWith("unknown_parameter")) throw new NotOffered(operation);
        if (isError === true) throw Object.assign(new Error(said), { code: /^\w+/.exec(said)?.[0] });
      });
    });
  },

  CLI: (served) => (api_key) =>
    operationsBy((operation, input) =>
      answered(served, async () => {
        const env = { LETTERSLOT_URL: served.base_url, LETTERSLOT_API_KEY: api_key, HOME: "/nonexistent" };
        const { code, err } = await runPiped(
          ["call", "--json", operation, ...Object.entries(input).flatMap(option)],
          {
            env,
          },
        );
        if (code !== 0) throw Object.assign(new Error(err), { code: /"code":\s?"(\w+)"/.exec(err)?.[1] });
      }),
    ),
};

/** A field as the command line takes it. */
function option([field, value]: [string, unknown]): string[] {
  const name = `--${field.replaceAll("_", "-")}`;
  if (value === true) return [name];
  if (value === false || value === null) return [name.replace("--", "--no-")];
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return value.map((each) => `${name}=${each}`);
  return [`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`];
}

const ALL = [...ATTACKS, ...CONTENT_ATTACKS];
const CODES = [...new Set(ALL.map(({ code }) => code))];
/** What models have no tool for: settings, webhooks, owners, and files of their own making. */
const NO_TOOL = ["approval_required", "outbound_change", "unscanned"];

/** An outcome as the table asks for it. */
async function expectStopped(place: Place, { act, kind, code }: Attack): Promise<void> {
  const outcome = await outcomeOf(place, act);
  // In direct mode mail leaves, and so does the letter that invites an owner.
  if (place.mode !== "direct" || kind === "never") expect(outcome.reached).toBe(false);
  if (kind === "never")
    expect(outcome).toMatchObject({ said: "refused", codes: expect.arrayContaining([code]) });
  else if (place.mode !== "direct" && kind === "mail")
    expect(outcome).toMatchObject({ said: "waits", codes: expect.arrayContaining([code]) });
  else if (place.mode !== "direct") expect(outcome.said).not.toBe("done");
  else if (code !== "outbound_change") expect(outcome.said).toBe("done");
}

async function world(door: keyof typeof DOORS, mode: (typeof MODES)[number]) {
  const served = await serve({ config: { contentScanner } });
  undo.push(() => served.close());
  return premises(mode, "key", { service: served, door: DOORS[door](served) });
}

// attack-table.test.ts in core plays them in each mode.
describe.each(casesOf<(typeof MODES)[number][]>(["guarded"], [...MODES]))(
  "by HTTP, in %s mode: an agent that is fooled",
  (mode) => {
    let at: ReturnType<typeof world> | undefined;
    test.each(ALL.map((each) => [`${each.code}: ${each.name}`, each] as const))("%s", async (_name, each) => {
      at ??= world("HTTP", mode);
      await expectStopped(await placeFor(await at, each.wrote), each);
    });
  },
);

describe.each(["MCP", "CLI"] as const)("by %s, in guarded mode: an agent that is fooled", (door) => {
  let at: ReturnType<typeof world> | undefined;
  test.each(CODES)("is stopped by %s", async (code) => {
    at ??= world(door, "guarded");
    for (const each of ALL.filter((attack) => attack.code === code)) {
      const place = await placeFor(await at, each.wrote);
      try {
        await expectStopped(place, each);
        return;
      } catch (error) {
        if (!(error instanceof NotOffered)) throw error;
      }
    }
    expect([door, code]).toEqual(["MCP", NO_TOOL.find((each) => each === code)]);
  });
});

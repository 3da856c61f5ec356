import { describe, expect, test } from "vitest";
import { PERMISSION_NAMES, type Permission } from "../../packages/core/src/catalogue/permissions.ts";
import type { KeyCaller } from "../../packages/core/src/kernel/access/caller.ts";
import { createTestService, type TestService } from "../../packages/core/testing/index.ts";
import { callTool, type ToolResult } from "../../packages/mcp/src/tools/call-tool.ts";
import { type CatalogueTool, TOOLS } from "../../packages/mcp/src/tools/catalogue.ts";
import { hostOf, type ToolHost } from "../../packages/mcp/src/tools/host.ts";
import { argumentsOf, takesRequestId } from "../../packages/mcp/src/tools/input-schema.ts";
import { toolsOf } from "../../packages/mcp/src/tools/list.ts";
import { casesOf } from "../support/case-count.ts";
import { copyFurnished, type Furnished } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { recordsOf } from "../support/tenant-matrix.ts";

type Fields = Record<string, unknown>;

/** Fields that a tool requires although its operation can do without. */
const ALSO: Record<string, Fields> = {
  ask_owner: { question: { type: "yes_no" } },
  wait_for_task: { wait: 0 },
};

/** Other arguments than those of the proofs, for tools that take no `text`. */
const OTHER: Record<string, Fields> = {
  create_inbox: { username: "somebody-else" },
  expect_mail: { from_domain: "other.example" },
  place_call: { say: "Something else." },
  send_draft: { draft_id: "dft_another" },
};

/** An account with a record of every kind, in a service of its own. */
async function world(): Promise<{ service: TestService; account: Furnished }> {
  const service = createTestService();
  return { service, account: await copyFurnished(service) };
}

/**
 * Returns a tool's input, the same as in its operation's proofs; a caller that is restricted to one inbox names none.
 */
function argsOf(tool: string, entry: CatalogueTool, inputs: Record<string, Fields>, held: boolean): Fields {
  const { sets = {} } = entry.tool;
  const names = argumentsOf(entry, false).filter((name) => !(held && name === "inbox_id"));
  const given = { ...inputs[entry.name], ...ALSO[tool] };
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => names.includes(name) && !Object.hasOwn(sets, name)),
  );
}

const textIn = ({ content }: ToolResult): string => content.map(({ text }) => text).join("\n");
/** Returns a call's outcome: `done`, or the code of its error. */
const outcomeOf = (result: ToolResult): string =>
  result.isError === true ? textIn(result).slice(0, textIn(result).indexOf(":")) : "done";

type PermissionSet = [string, readonly Permission[] | null];
const FEW: PermissionSet[] = [
  ["no permission", []],
  ["every permission", null],
];
const ALONE = PERMISSION_NAMES.map((name): PermissionSet => [`${name} alone`, [name]]);
const ALL_BUT = PERMISSION_NAMES.map(
  (name): PermissionSet => [`all but ${name}`, PERMISSION_NAMES.filter((other) => other !== name)],
);

describe.each([
  ["of the whole account", false],
  ["held to one inbox", true],
])("a key %s", (_, held) => {
  const sets = casesOf(held ? ALL_BUT : ALONE, [...ALONE, ...ALL_BUT]);

  test.each([...FEW, ...sets])(
    "with %s is shown and can use the tools of what it may call",
    async (_set, permissions) => {
      // The operations themselves give the expected results: called in the same order, in a world of their own.
      const [tools, direct] = await Promise.all([world(), world()]);
      const callerIn = ({ caller, inbox_id }: Furnished): KeyCaller => ({
        ...caller,
        permissions,
        inbox_ids: held ? [inbox_id] : null,
      });
      const host = hostOf(tools.service.letterslot, callerIn(tools.account));
      const shown = new Set(toolsOf(await host.caller()).map(({ name }) => name));
      const inputs = createInputs(direct.account, direct.service) as Record<string, Fields>;
      const before = await recordsOf(tools.service.letterslot.services.storage, tools.account.account_id);

      for (const [tool, entry] of TOOLS) {
        const args = argsOf(tool, entry, inputs, held);
        const inbox = "inbox_id" in entry.operation.input.shape && entry.operation.scope === "inbox";
        const input = {
          ...args,
          ...(inbox ? { inbox_id: direct.account.inbox_id } : {}),
          ...entry.tool.sets,
        };
        const right = await direct.service.letterslot.call(callerIn(direct.account), entry.name, input).then(
          () => "done",
          ({ code }: { code: string }) => code,
        );
        const outcome = outcomeOf(await callTool(host, tool, args));
        if (shown.has(tool)) expect(outcome, tool).toBe(right);
        if (!shown.has(tool)) expect([outcome, right], tool).toEqual(["unknown_tool", "permission_denied"]);
      }

      const after = await recordsOf(tools.service.letterslot.services.storage, tools.account.account_id);
      const rightly = await recordsOf(direct.service.letterslot.services.storage, direct.account.account_id);
      const sizes = (records: typeof after) =>
        Object.fromEntries(Object.entries(records).map(([table, rows]) => [table, rows.length]));
      expect(sizes(after)).toEqual(sizes(rightly));
      if (permissions?.length === 0) expect(after).toEqual(before);
      if (!held) return;
      const outside = (records: typeof after) =>
        Object.fromEntries(
          Object.entries(records).map(([table, rows]) => [
            table,
            // Recipients are the account's; an inbox is named only where a person remembered one.
            rows.filter(
              (row) =>
                table !== "recipients" && "inbox_id" in row && row["inbox_id"] !== tools.account.inbox_id,
            ),
          ]),
        );
      expect(outside(after)).toEqual(outside(before));
    },
  );
});

test("with every permission, every tool does what it is for", async () => {
  const { service, account } = await world();
  const host = hostOf(service.letterslot, account.caller);
  const inputs = createInputs(account, service) as Record<string, Fields>;
  const failed: Record<string, string> = {};
  for (const [tool, entry] of TOOLS) {
    const result = await callTool(host, tool, argsOf(tool, entry, inputs, false));
    if (result.isError === true) failed[tool] = outcomeOf(result);
  }
  // This service reads no text of files, and a task that was completed is no longer this worker's to give back.
  expect(failed).toEqual({ read_attachment: "text_extraction_unsupported", fail_task: "claim_lost" });
});

describe("a call whose answer was lost", () => {
  const repeatable = [...TOOLS].filter(([, entry]) => takesRequestId(entry));

  /** A host whose first answer never arrives, though the call was carried out. */
  function losing(host: ToolHost): ToolHost {
    let lost = false;
    return {
      ...host,
      async call(name, input, options) {
        const answer = await host.call(name, input, options);
        if (lost) return answer;
        lost = true;
        throw new Error("the connection broke");
      },
    };
  }

  test.each(repeatable)("%s acts once when it is repeated with its request_id", async (tool, entry) => {
    const { service, account } = await world();
    const { storage } = service.letterslot.services;
    const host = losing(hostOf(service.letterslot, account.caller));
    const inputs = createInputs(account, service) as Record<string, Fields>;
    const args = { ...argsOf(tool, entry, inputs, false), request_id: "5f1c" };
    const before = await recordsOf(storage, account.account_id);
    await expect(callTool(host, tool, args)).rejects.toThrow("the connection broke");
    const once = await recordsOf(storage, account.account_id);
    expect(once).not.toEqual(before);
    const again = await callTool(host, tool, args);
    expect(again.isError, textIn(again)).toBeUndefined();
    expect(JSON.stringify(again.structuredContent)).toContain('"idempotent":true');
    expect(await recordsOf(storage, account.account_id)).toEqual(once);

    const other = { ...args, ...(OTHER[tool] ?? { text: "Something else." }) };
    expect(outcomeOf(await callTool(host, tool, other)), tool).toBe("idempotency_key_conflict");
    expect(await recordsOf(storage, account.account_id)).toEqual(once);
  });
});

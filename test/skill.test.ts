import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toolsOf } from "../packages/mcp/src/index.ts";

const SKILL = readFileSync(new URL("../packages/client/skills/letterslot/SKILL.md", import.meta.url), "utf8");

test("the skill has the head that agents look for, and names only tools and arguments that are there", () => {
  const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(SKILL) ?? [];
  expect(name).toMatch(/^[a-z-]{1,64}$/);
  expect(description?.length).toBeLessThanOrEqual(1024);
  const tools = toolsOf({ id: "key_1", type: "key", permissions: null, inbox_ids: null });
  const known = new Set([
    ...tools.map((tool) => tool.name),
    ...tools.flatMap(({ inputSchema }) => Object.keys(inputSchema["properties"] as object)),
    ...["permission_denied", "rate_limited", "budget_exceeded", "client_id"],
  ]);
  const named = [...SKILL.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, word = ""]) => word);
  expect(named.filter((word) => !known.has(word))).toEqual([]);
  expect(named).toEqual(
    expect.arrayContaining(["read_message", "reply_to_task", "wait_for_task", "ask_owner"]),
  );
});

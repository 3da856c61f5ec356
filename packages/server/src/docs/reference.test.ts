import { routes } from "@letterslot/client/routes";
import { ERROR_CATALOGUE, EVENT_TYPES, PERMISSION_NAMES } from "@letterslot/core";
import { Event } from "@letterslot/core/internal";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { operationsByTag } from "./operation-facts.ts";
import { NAMES, operationName } from "./operation-names.ts";
import { allPages, siteReference } from "./site-pages.ts";
import { drained } from "./steps.ts";

const BASE_URL = "https://mail.example.com";
const setting = { name: "BASE_URL", meaning: "Its address.", expects: "a URL", fallback: "none" };
const document = openApiDocument(BASE_URL);
const reference = drained(siteReference(document, BASE_URL, [setting]));
const pages = new Map(allPages(reference).map((page) => [page.name, page.markdown]));
const operations = [...operationsByTag(document).values()].flat();

test("has a page for each operation: what it takes and answers, its errors, and how to call it", () => {
  for (const { operation } of operations) {
    const text = pages.get(operation.operationId) ?? "";
    for (const title of ["Answer", "Errors"])
      expect(text, operation.operationId).toContain(`\n## ${title}\n`);
    if (operation.parameters.length > 0) expect(text, operation.operationId).toContain("\n## Request\n");
  }
  for (const name of Object.keys(routes)) {
    const text = pages.get(name);
    expect(text, name).toContain(`client.${name}(`);
    expect(text, name).toContain(`letterslot call ${name}`);
    expect(text, name).toMatch(/curl[^`]+https:\/\/mail\.example\.com\/api\/v1\//);
  }
});

test("shows a parameter of each kind, the call with it, and a sample of an answer and an error", () => {
  const send = pages.get("messages.send");
  expect(send).toMatch(
    /^# Send a message\n\n`messages\.send` · `POST \/api\/v1\/inboxes\/\{inbox_id\}\/messages`\n/,
  );
  expect(send).toMatch(/\n- `inbox_id` \(string, path, required, [^)]*\): /);
  expect(send).toMatch(/\n- `to` \(array of string, body, required, at most 50 items\): /);
  expect(send).toMatch(/\n- `Idempotency-Key` \(string, header\)/);
  expect(pages.get("messages.inject")).toMatch(/\n- `auth` \(object, body[\s\S]+\n {2}- `spf` \(/);
  expect(send).toContain('"object": "message"');
  expect(send).toContain(`"docs_url": "${BASE_URL}/docs#`);
  expect(pages.get("messages.marked")).toMatch(/- `max_chars` \(integer, query, default 4000/);
  expect(pages.get("tasks.stream")).toMatch(/- `last-event-id` \(string, header/);
});

test("shows the call of a tool with what it needs, where models have one", () => {
  const call = /```json \[MCP\]\n(.*?)\n```/s;
  const [, sent = ""] = call.exec(pages.get("messages.send") ?? "") ?? [];
  expect(JSON.parse(sent)).toMatchObject({ name: "send_message", arguments: { to: [expect.any(String)] } });
  expect(pages.get("keys.create")).not.toMatch(call);
});

test("has a sample of every event type, each valid by its schema", () => {
  const samples = reference.events.flatMap(({ markdown }) =>
    [...markdown.matchAll(/```json \[A sample\]\n(.*?)\n```/gs)].map(
      ([, json = ""]) => JSON.parse(json) as Event,
    ),
  );
  expect(samples.map(({ type }) => type).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  for (const sample of samples) expect(Event.parse(sample)).toEqual(sample);
});

test("lists every operation, error, event, permission and setting", () => {
  for (const { operation } of operations)
    expect(pages.get("operations")).toContain(`](${operation.operationId}.md) \`${operation.operationId}\``);
  for (const code of Object.keys(ERROR_CATALOGUE))
    expect(pages.get("errors")).toContain(`\n### \`${code}\` {#${code}}\n`);
  for (const type of EVENT_TYPES) expect(pages.get("events")).toContain(`\`${type}\``);
  for (const name of PERMISSION_NAMES) expect(pages.get("permissions")).toContain(`- \`${name}\``);
  expect(pages.get("settings")).toContain("## `BASE_URL` {#BASE_URL}\n\nIts address.\n\nTakes a URL.");
});

test("calls each operation by a name of its own of at most seven words, and names none that isn't there", () => {
  const names = operations.map(({ operation }) => operationName(operation.operationId));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Z]\S*(?: \S+){0,6}$/);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(Object.keys(NAMES).filter((id) => !ids.includes(id))).toEqual([]);
  expect(operationName("messages.ponderLonger")).toBe("Ponder longer (messages)");
});

test("no two pages have one name", () => {
  const names = allPages(reference).map(({ name }) => name.toLowerCase());
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

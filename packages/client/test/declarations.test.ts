import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Operation, operationNamed } from "@letterslot/core/internal";
import { tables } from "@letterslot/core/ports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../src/routes.ts";

const PRINTER = fileURLToPath(new URL("../../../scripts/client-types.ts", import.meta.url));
const INDEX = fileURLToPath(new URL("../src/index.ts", import.meta.url));

type Schema = Operation["output"];

let folder: string;
let types: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-types-"));
  const file = join(folder, "core.ts");
  execFileSync(process.execPath, [PRINTER, file]);
  types = readFileSync(file, "utf8");
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the names of all fields of a schema, at any depth. */
function fieldsOf(schema: Schema, found = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (seen.has(schema)) return found;
  seen.add(schema);
  const def = schema.def as unknown as Record<string, unknown>;
  for (const [name, field] of Object.entries((def["shape"] ?? {}) as Record<string, Schema>)) {
    found.add(name);
    fieldsOf(field, found, seen);
  }
  const within = [def["innerType"], def["element"], def["in"], def["out"], def["valueType"]];
  for (const inner of [...within, ...((def["options"] ?? []) as unknown[])])
    if (inner !== undefined && typeof inner === "object" && inner !== null && "def" in inner)
      fieldsOf(inner as Schema, found, seen);
  return found;
}

const called = Object.keys(routes).map((name): Operation => operationNamed(name));

test("the published types are plain: nothing is imported", () => {
  expect(types).not.toMatch(/^\s*(?:import|export)\b[^;\n]*\bfrom\s*["']|\bimport\(|\bz\.|zod/im);
  expect(types.length).toBeGreaterThan(10_000);
});

test("they have every type that the client takes from core", () => {
  const [, list = ""] =
    /export type \{([^}]*)\} from "@letterslot\/core"/.exec(readFileSync(INDEX, "utf8")) ?? [];
  const names = list.split(",").flatMap((name) => /\w+/.exec(name)?.[0] ?? []);
  expect(names).toContain("Message");
  for (const name of names) expect(types).toMatch(new RegExp(`^export (?:interface|type) ${name}\\b`, "m"));
});

test("they hold no field that is only stored", () => {
  const shown = new Set(called.flatMap(({ input, output }) => [...fieldsOf(input), ...fieldsOf(output)]));
  const stored = Object.values(tables).flatMap(({ record }) => Object.keys(record.shape));
  const resources = new Set(Object.keys(routes).map((name) => name.split(".")[0]));
  const only = [...new Set(stored)].filter((name) => !shown.has(name) && !resources.has(name));
  expect(only).toEqual(expect.arrayContaining(["code_hash", "sealed_secret", "raw_hash", "dedupe_key"]));
  const typed = only.filter((name) => new RegExp(`^${name}\\??: (?!\\{ input: )`, "m").test(types));
  expect(typed).toEqual([]);
});

test("a field says in editors what it is", () => {
  expect(types).toMatch(/\/\*\* [^*]+ \*\/\nlimit\?: number \| undefined;/);
  expect(types).toMatch(/\/\*\* [^*]+ \*\/\nwait\?: number \| undefined;/);
});

test("fields and operations say what they are, for people who hover over them", () => {
  const lines = types.slice(types.indexOf("export interface"), types.indexOf("interface Calls")).split("\n");
  const fields = lines.flatMap((line, index) => {
    const [, type] = /^"?[\w.-]+"?\??: (.*)$/.exec(line) ?? [];
    return type === undefined ? [] : [{ line, type, said: lines[index - 1]?.endsWith("*/") }];
  });
  expect(fields.length).toBeGreaterThan(300);
  const silent = fields.filter(({ type, said }) => said !== true && !/^(?:"[^"]*"|true);$/.test(type));
  expect(silent.map(({ line }) => line)).toEqual([]);
  expect(types).toContain("/** Queues a mail; its status and delivery events show the result.");
});

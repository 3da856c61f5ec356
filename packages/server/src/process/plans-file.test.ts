import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "./config.ts";
import { readPlans } from "./plans-file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-plans-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fileWith = (text: string): string => {
  const path = join(folder, "plans.json");
  writeFileSync(path, text);
  return path;
};

test("the example has the interface's figures", () => {
  const example = fileURLToPath(new URL("../../../../examples/plans.json", import.meta.url));
  const plans = readPlans(example);
  expect(plans?.default).toBe("free");
  expect(plans?.plans["free"]).toMatchObject({ owner_bonus_percent: 50, voice_minutes: 0 });
  expect(plans?.plans["starter"]).toMatchObject({ voice_minutes_per_number: 30, voice_minutes: 0 });
  expect(plans?.plans["pro"]).toMatchObject({
    voice_minutes: 300,
    included_numbers: 3,
    voice_minutes_per_number: 30,
  });
});

test("without a file there are no plans", () => expect(readPlans(undefined)).toBeNull());

test("what a plan leaves out, or sets to null, has no limit", () => {
  const path = fileWith('{"default": "a", "plans": {"a": {"inboxes": null, "monthly_sends": 5}}}');
  expect(readPlans(path)?.plans["a"]).toMatchObject({ inboxes: null, monthly_sends: 5, storage_mb: null });
});

describe("a wrong file stops the start with a sentence that names the field", () => {
  test.each([
    ["no JSON", "{", /not JSON/],
    ["no object", "[]", /it must be an object, not a list/],
    ["no default", '{"plans": {"a": {}}}', /default is required/],
    [
      "a default that is no plan",
      '{"default": "b", "plans": {"a": {}}}',
      /default must be the name of one of the plans/,
    ],
    ["no plans", '{"default": "a"}', /plans is required/],
    [
      "a text for a number",
      '{"default": "a", "plans": {"a": {"inboxes": "3"}}}',
      /plans\.a\.inboxes must be a number, not a text/,
    ],
    [
      "less than none",
      '{"default": "a", "plans": {"a": {"inboxes": -1}}}',
      /plans\.a\.inboxes must be at least 0/,
    ],
    [
      "half a mail",
      '{"default": "a", "plans": {"a": {"monthly_sends": 0.5}}}',
      /plans\.a\.monthly_sends must be a whole number, not 0\.5/,
    ],
    [
      "a misspelt field",
      '{"default": "a", "plans": {"a": {"inbox": 3}}}',
      /plans\.a has an unknown field "inbox"/,
    ],
    ["a field beside", '{"default": "a", "plans": {"a": {}}, "plan": {}}', /it has an unknown field "plan"/],
    [
      "a page that is none",
      '{"default": "a", "plans": {"a": {"upgrade_url": "javascript:1"}}}',
      /upgrade_url/,
    ],
    [
      "a name with spaces",
      '{"default": "a", "plans": {"a": {}, "b c": {}}}',
      /plans\.b c must be in the form that is documented/,
    ],
  ])("%s", (_, text, message) => {
    const path = fileWith(text);
    expect(() => readPlans(path)).toThrow(ConfigError);
    expect(() => readPlans(path)).toThrow(message);
    expect(() => readPlans(path)).toThrow(/^PLANS /);
  });

  test("a file that isn't there", () => {
    expect(() => readPlans(join(folder, "none.json"))).toThrow(
      /^PLANS is ".*none\.json", which can't be read/,
    );
  });
});

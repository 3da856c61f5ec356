import { expect, test, vi } from "vitest";
import { createLog, readableLine } from "./log.ts";

function logged(fields: Record<string, unknown>): string {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).info(fields, "said");
  return lines.join("");
}

test("an error shows its code and its cause's, but no other added properties", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED", mail: "private words" });
  const line = logged({
    error: Object.assign(new Error("not sent", { cause }), { code: "storage_unavailable" }),
  });
  expect(JSON.parse(line)).toMatchObject({
    error: { error_code: "storage_unavailable", cause: { error_code: "ECONNREFUSED" } },
  });
  expect(line).not.toContain("private words");
});

test.each(["api_key", "code", "token", "text", "raw", "password"])(
  "%s is redacted, also in a nested field",
  (name) => {
    const line = logged({ [name]: "s3cret", owner: { [name]: "s3cret" } });
    expect(line).toContain("[redacted]");
    expect(line).not.toContain("s3cret");
  },
);

test("on a terminal a line is words: when, how grave, what, and its fields", () => {
  const line = logged({ path: "/tasks", why: 'no "key"\u001b[2J\u009b\u202e', count: 2 });
  expect(readableLine(line)).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} info {2}said path=\/tasks why="no \\"key\\"\\u001b\[2J\\u009b\\u202e" count=2\n$/,
  );
});

test("on a terminal an error's stack stands below its line", () => {
  const [first = "", second = "", third = ""] = readableLine(logged({ error: new Error("not sent") })).split(
    "\n",
  );
  expect(first).toContain(' error={"name":"Error","message":"not sent"}');
  expect([second, third]).toEqual(["  Error: not sent", expect.stringMatching(/^ {6}at .+log\.test\.ts/)]);
});

test("a line has a level and a time", () => {
  expect(JSON.parse(logged({ path: "/tasks" }))).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    path: "/tasks",
    msg: "said",
  });
});

test("each line has the time at which it was written", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  for (const now of [1, 1, 2, 1]) {
    vi.setSystemTime(now);
    log.info({}, "said");
  }
  vi.useRealTimers();
  const times = lines.map((line) => (JSON.parse(line) as { time: string }).time);
  expect(times.map((time) => Date.parse(time))).toEqual([1, 1, 2, 1]);
});

test.each([
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["fatal", []],
  ["silent", []],
])("level %s logs %j", (level, said) => {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => void lines.push(line) });
  for (const name of ["info", "warn", "error"] as const) log[name]({}, name);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(said);
});

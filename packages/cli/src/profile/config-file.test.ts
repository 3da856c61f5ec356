import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeConfig, configPath, readConfig, storeProfile } from "./config-file.ts";
import { connect } from "./connect.ts";

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "letterslot-config-"));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const PROFILE = { url: "http://localhost:8025", api_key: "ls_secret" };
const at = (url?: string) => ({
  globals: { json: false, profile: undefined, url, workspace: undefined },
  env,
});

test("it is in ~/.config, or where XDG_CONFIG_HOME says", () => {
  expect(configPath(env)).toBe(join(home, ".config/letterslot/config.json"));
  expect(configPath({ HOME: home, XDG_CONFIG_HOME: "/etc/xdg" })).toBe("/etc/xdg/letterslot/config.json");
});

test("without it there are no profiles, and reading makes nothing", () => {
  expect(readConfig(env)).toEqual({ current: "default", profiles: {} });
  expect(readdirSync(home)).toEqual([]);
});

test("it is for its user alone, from the first moment, and nothing is left beside it", async () => {
  await storeProfile(env, "default", PROFILE);
  const path = configPath(env);
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(dirname(path))).toEqual(["config.json"]);
});

test.each([
  ["the file", () => configPath(env), 0o620],
  ["the file, everybody", () => configPath(env), 0o602],
  ["the folder", () => dirname(configPath(env)), 0o770],
])("it isn't read if others can write %s", async (_, path, mode) => {
  await storeProfile(env, "default", PROFILE);
  chmodSync(path(), mode);
  expect(() => readConfig(env)).toThrow(/Others can write/);
  await expect(storeProfile(env, "other", PROFILE)).rejects.toMatchObject({
    exit: 4,
    fix: expect.stringContaining("chmod"),
  });
});

test.each(["", "{", "[]", '{"profiles":[1]}', '{"profiles":{"a":{}}}'])(
  "a broken one is said to be broken: %j",
  (text) => {
    mkdirSync(dirname(configPath(env)), { recursive: true, mode: 0o700 });
    writeFileSync(configPath(env), text, { mode: 0o600 });
    expect(() => readConfig(env)).toThrow(/not a file of profiles/);
  },
);

test("changes of many at once are all kept", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => storeProfile(env, name, PROFILE)));
  expect(Object.keys(readConfig(env).profiles).sort()).toEqual(names.sort());
});

test("a change that fails leaves what was there, and no lock", async () => {
  await storeProfile(env, "default", PROFILE);
  const before = readFileSync(configPath(env), "utf8");
  await expect(changeConfig(env, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(readFileSync(configPath(env), "utf8")).toBe(before);
  expect(existsSync(`${configPath(env)}.lock`)).toBe(false);
});

test("the lock of a process that is gone is taken over", async () => {
  mkdirSync(dirname(configPath(env)), { recursive: true, mode: 0o700 });
  writeFileSync(`${configPath(env)}.lock`, "4194304");
  await storeProfile(env, "default", PROFILE);
  expect(readConfig(env).profiles).toHaveProperty("default");
});

test("a profile's key goes to its own server only", async () => {
  await storeProfile(env, "default", PROFILE);
  expect(await connect(at())).toMatchObject({ base_url: PROFILE.url, credential: "key", profile: "default" });
  expect(await connect(at("http://localhost:8025/"))).toMatchObject({ credential: "key" });
  await expect(connect(at("http://localhost:8026"))).rejects.toMatchObject({
    exit: 4,
    message: expect.not.stringContaining("ls_secret"),
  });
  expect(await connect(at("http://localhost:8026"), { anonymous: true })).toMatchObject({
    credential: "none",
  });
  env["LETTERSLOT_URL"] = "http://evil.example";
  await expect(connect(at())).rejects.toMatchObject({ exit: 4 });
});

test.each(["localhost:8025", "ftp://x", "http://u:p@x", "http://x?y", "nonsense"])(
  "%s is no server's address",
  async (url) => {
    await expect(connect(at(url))).rejects.toMatchObject({ exit: 2 });
  },
);

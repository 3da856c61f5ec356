import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenSecret } from "./secret.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "letterslot-secret-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("the secret is made once, and only its user can read it", () => {
  const secret = listenSecret({ HOME: home });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(listenSecret({ HOME: home })).toBe(secret);
  expect(statSync(join(home, ".config/letterslot/listen-secret")).mode & 0o777).toBe(0o600);
  expect(listenSecret({ HOME: home, XDG_CONFIG_HOME: join(home, "other") })).not.toBe(secret);
});

test("the environment's secret comes first", () => {
  expect(listenSecret({ HOME: home, LETTERSLOT_WEBHOOK_SECRET: "shared with my tests" })).toBe(
    "shared with my tests",
  );
});

test("a file that holds no secret is refused", () => {
  mkdirSync(join(home, "letterslot"));
  writeFileSync(join(home, "letterslot/listen-secret"), "");
  expect(() => listenSecret({ XDG_CONFIG_HOME: home })).toThrow("listen-secret holds no secret");
});

test("where nothing can be kept, each start has its own", () => {
  chmodSync(home, 0o500);
  // Root may write everywhere except to the kernel's own files.
  const HOME = process.getuid?.() === 0 ? "/sys" : home;
  expect(listenSecret({ HOME })).not.toBe(listenSecret({ HOME }));
});

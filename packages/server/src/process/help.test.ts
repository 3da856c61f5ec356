import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestService } from "@letterslot/core/testing";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { DOCTOR_USAGE, runDoctor } from "./doctor/command.ts";
import { helpText } from "./help.ts";
import { readArguments, USAGE } from "./migrate-storage/arguments.ts";
import { ACCOUNTS_USAGE, runAccountsCommand } from "./operator/accounts-command.ts";

/** The examples at the end of a help text, word by word: settings before the program, and words after it. */
function examplesIn(text: string) {
  const [, block = ""] = /\nExamples:\n((?: {2}.+\n)+)$/.exec(text) ?? [];
  return block
    .trim()
    .split("\n")
    .map((line) => {
      const words = line.trim().split(/\s+/);
      const at = words.indexOf("letterslot-server");
      expect(at, line).toBeGreaterThanOrEqual(0);
      const settings = words.slice(0, at).map((word) => /^([A-Z_]+)=(.+)$/.exec(word)?.slice(1) ?? []);
      return { settings: Object.fromEntries(settings), words: words.slice(at + 1) };
    });
}

test("the server's examples are configurations that it starts with", () => {
  const examples = examplesIn(helpText());
  expect(examples.length).toBeGreaterThan(1);
  for (const { settings, words } of examples) {
    expect(words).toEqual([]);
    expect(() => readConfig(settings)).not.toThrow();
  }
});

test("the help says which values each setting takes", () => {
  expect(helpText()).toMatch(/^ {2}ROLE +.+ Takes all, api, worker or smtp\. Default: all\.$/m);
  for (const line of helpText().match(/^ {2}[A-Z][A-Z0-9_]+ {2,}.+$/gm) ?? [])
    expect(line).toMatch(/ Takes \S.+\. Default: /);
});

test("the help says how mail is delivered without a relay, and how that is tried in a closed network", () => {
  const [, , line = ""] = /( {2}SMTP_URL)( .*)/.exec(helpText()) ?? [];
  expect(line).toContain("mx:");
  const [, url = ""] = /(mx:\?port=\d+&allow=[\d./]+)/.exec(line) ?? [];
  expect(readConfig({ SMTP_URL: url }).smtp_url).toBe(url);
});

test("the examples of doctor and migrate-storage are taken as they stand", async () => {
  const said = { write: () => true };
  const doctor = examplesIn(DOCTOR_USAGE);
  for (const {
    words: [command, ...words],
  } of doctor) {
    expect(command).toBe("doctor");
    // With --help it reads all its words, and examines nothing.
    expect(await runDoctor([...words, "--help"], undefined as never, { stdout: said })).toBe(0);
  }
  const moves = examplesIn(USAGE);
  for (const {
    words: [command, ...words],
  } of moves) {
    expect(command).toBe("migrate-storage");
    expect(readArguments(words)).toMatchObject({ from: { kind: expect.any(String) } });
  }
  expect([doctor.length > 0, moves.length > 0]).toEqual([true, true]);
});

test("the examples of accounts run one after the other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-help-"));
  const { letterslot, signUp } = createTestService();
  const { account_id } = await signUp("ada");
  const examples = examplesIn(ACCOUNTS_USAGE);
  expect(examples.length).toBeGreaterThan(3);
  for (const {
    words: [command, ...given],
  } of examples) {
    expect(command).toBe("accounts");
    let said = "";
    const output = { isTTY: false, write: (text: string) => ((said += text), true) };
    const words = given.map((word) => word.replace("acct_…", account_id).replace("./backups", folder));
    await runAccountsCommand(words, letterslot, output, output);
    // Whoever has none is listed none.
    if (words[0] !== "passkeys") expect(said, words.join(" ")).not.toBe("");
  }
  rmSync(folder, { recursive: true });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runAccountsCommand } from "../operator/accounts-command.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-trust-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Service = ReturnType<typeof createTestService>["letterslot"];

async function accounts(letterslot: Service, ...words: string[]): Promise<Record<string, string>> {
  let said = "";
  const output = { isTTY: false, write: (text: string) => (said += text) !== "" };
  await runAccountsCommand(words, letterslot, output, { write: () => true });
  return JSON.parse(said) as Record<string, string>;
}

/** The statuses of the owners of an account that was exported with a verified one, and imported elsewhere. */
async function importedOwners(...options: string[]): Promise<string[]> {
  const service = createTestService();
  const account = await service.signUp("ada");
  await service.addOwner(account, "grace@example.com");
  const { path = "" } = await accounts(service.letterslot, "export", account.account_id, "--to", folder);
  const { letterslot } = createTestService();
  const { api_key = "" } = await accounts(letterslot, "import", path, ...options);
  const { data } = await letterslot.withKey(api_key).owners.list({ inbox_id: account.inbox.id });
  return data.map(({ status }) => status);
}

test("an import believes who owns an inbox only with --trust-owners", async () => {
  expect(await importedOwners()).toEqual(["pending"]);
  expect(await importedOwners("--trust-owners")).toEqual(["verified"]);
});

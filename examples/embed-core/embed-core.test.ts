import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the program receives a mail, answers it and exits by itself", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
    timeout: 100_000,
  });
  expect(stdout).toContain("inbox: ada@agents.example.com");
  expect(stdout).toContain("received: stored");
  expect(stdout).toContain("mail from grace@example.org: Are you free at noon?\n");
  expect(stdout).toContain("Subject: Re: Lunch?");
  expect(stdout).toContain("In-Reply-To: <lunch@example.org>");
  expect(stdout).toContain("At noon then.");
});

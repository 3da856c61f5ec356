import { resolve } from "node:path";
import { expect, test } from "vitest";
import { MigrateStorageError, readArguments } from "./arguments.ts";

test("reads both storages and the account", () => {
  expect(
    readArguments([
      "--from",
      "sqlite:./data",
      "--to",
      "postgres://ada:hidden@db/mail",
      "--account",
      "acct_1",
    ]),
  ).toEqual({
    from: { kind: "sqlite", folder: resolve("data") },
    to: { kind: "postgres", url: "postgres://ada:hidden@db/mail" },
    account_id: "acct_1",
  });
  expect(readArguments(["--from=postgresql://db/mail", "--to=sqlite:///srv/data"])).toMatchObject({
    to: { folder: "/srv/data" },
    account_id: undefined,
  });
});

test.each([
  [[], "--from and --to are required."],
  [["--from", "sqlite:a"], "--from and --to are required."],
  [["--from", "sqlite:a", "--to", "sqlite:./a"], "--from and --to are the same storage."],
  [
    ["--from", "mysql://ada:hidden@db/x", "--to", "sqlite:b"],
    "A storage must be sqlite:<DATA_DIR> or postgres://",
  ],
  [["--from", "sqlite:", "--to", "sqlite:b"], "A storage must be sqlite:<DATA_DIR> or postgres://"],
  [["--from", "sqlite:a", "--to", "sqlite:b", "--fast"], "Unknown option '--fast'"],
  [["sqlite:a", "sqlite:b"], "Unexpected argument 'sqlite:a'"],
])("%j is rejected without repeating a password", (args, message) => {
  const read = () => readArguments(args);
  expect(read).toThrow(MigrateStorageError);
  expect(read).toThrow(message);
  expect(read).not.toThrow("hidden");
});

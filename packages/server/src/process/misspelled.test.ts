import { describe, expect, test } from "vitest";
import { misspelledNames } from "./misspelled.ts";
import { VARIABLES } from "./variables.ts";

const known = Object.keys(VARIABLES);

describe("the name of a setting", () => {
  test.each([
    ["SMTP_URLS", "SMTP_URL"],
    ["SMTP_UL", "SMTP_URL"],
    ["SMTP_URI", "SMTP_URL"],
    ["BASE_ULR", "BASE_URL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["MAIL-DOMAIN", "MAIL_DOMAIN"],
    ["Data_Dir", "DATA_DIR"],
    ["ONBORDING", "ONBOARDING"],
    ["PROT", "PORT"],
    ["HSOT", "HOST"],
  ])("%s is a slip for %s", (name, meant) => {
    expect(misspelledNames([name], known)).toEqual([{ name, meant }]);
  });

  test.each([
    "HOME",
    "POST",
    "HOSTS",
    "PATH",
    "USER",
    "SMTP_SERVER",
    "URL",
    "PORT",
    "PGPORT",
    "HOSTNAME",
    "",
  ])("%s may stand", (name) => expect(misspelledNames([name], known)).toEqual([]));

  test("no setting is a slip for another", () => {
    for (const name of known)
      expect(
        misspelledNames(
          [name],
          known.filter((other) => other !== name),
        ),
      ).toEqual([]);
  });
});

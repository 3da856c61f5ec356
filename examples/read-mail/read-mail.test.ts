import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = async (...args: string[]) => {
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: import.meta.dirname,
    timeout: 100_000,
  });
  return stdout;
};

test("the program prints the sender, new text, safety, codes and attachments of a raw mail", async () => {
  expect(await run(join(import.meta.dirname, "index.ts"))).toBe(
    [
      "from: Café Accounts <login@cafe.example>",
      "subject: Re: Your sign-in code",
      "new text: Your sign-in code is 482913. It works for 10 minutes. The menu – with",
      "prices – is attached.",
      "safety: clean (6 of 100) The sender's name is that of a department, such as support or security.",
      "codes: 482913",
      "attachment: menu.csv (text/csv, 21 bytes)",
      "",
    ].join("\n"),
  );
});

test("the mail library loads neither the operations nor a schema library", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import("@letterslot/core/mail");
    const heavy = loaded.filter((url) => /\\/zod\\/|nodemailer|operations|storage|kernel/.test(url));
    console.log(loaded.some((url) => url.includes("tldts")), heavy.join(" "));
  `;
  expect(await run("--input-type=module", "-e", script)).toBe("true \n");
});

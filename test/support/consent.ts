import { join } from "node:path";
import type { Page } from "playwright-core";
import { createCaptureTransport } from "../../packages/adapter-smtp/src/index.ts";
import { enterMailedCode } from "./enter-mailed-code.ts";
import { until } from "./until.ts";

/** The newest sign-in code that a server without SMTP_URL captured for an address, after `seen` earlier ones. */
export async function capturedCode(data_dir: string, email: string, seen = 0): Promise<string> {
  const outbox = createCaptureTransport({ directory: join(data_dir, "outbox") });
  return until(`a code for ${email}`, async () => {
    const letters = await outbox.list({ limit: 200 });
    const texts = await Promise.all(
      letters
        .filter(({ to, subject }) => to.includes(email) && subject.startsWith("Your sign-in code"))
        .map(async ({ name }) => new TextDecoder().decode(await outbox.read(name))),
    );
    const codes = texts.flatMap((text) => /^ {4}(\d{6})\r?$/m.exec(text)?.[1] ?? []);
    return codes.length > seen && codes[0];
  });
}

/** Signs in on the page that an app's request leads to. `codeFor` finds the code that was mailed. */
export async function signInToConnect(
  page: Page,
  email: string,
  codeFor: (email: string) => Promise<string>,
): Promise<void> {
  await page.getByRole("heading", { name: "Connect an app" }).waitFor();
  await enterMailedCode(page, email, codeFor);
}

/** Opens an account on the page that offers it to a newcomer. */
export async function openAccount(page: Page, username: string): Promise<void> {
  await page.getByRole("heading", { name: "Open an account" }).waitFor();
  await page.getByLabel("Address").fill(username);
  await page.getByRole("button", { name: "Open the account" }).click();
  await page.getByRole("heading", { name: /^Connect / }).waitFor();
}

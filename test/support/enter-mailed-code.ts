import type { Page } from "playwright-core";

/**
 * Has a code mailed to a person, on a page that asks for their address, and enters it. `codeFor` finds the code that was
 * mailed.
 */
export async function enterMailedCode(
  page: Page,
  email: string,
  codeFor: (email: string) => Promise<string>,
): Promise<void> {
  await page.getByLabel("Your email address").fill(email);
  await page.getByRole("button", { name: "Email me a code" }).click();
  await page.getByLabel("Code").waitFor();
  await page.getByLabel("Code").fill(await codeFor(email));
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The code that a service in this process mails, once its letters have left. */
export const codeOf =
  (served: { work(): Promise<unknown>; codeFor(email: string): string }) =>
  async (email: string): Promise<string> => {
    await served.work();
    return served.codeFor(email);
  };

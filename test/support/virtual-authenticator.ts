import type { Page } from "playwright-core";

/** The authenticator of a phone, within the browser. */
export interface Authenticator {
  /** Whether it verifies its person when it is asked to. */
  verifies(does: boolean): Promise<unknown>;
}

/** Gives a page's browser a phone's authenticator, which keeps its passkeys as long as the page is open. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    verifies: (isUserVerified) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

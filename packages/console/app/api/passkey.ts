import type { Client } from "@letterslot/client";
import { startAuthentication } from "@simplewebauthn/browser";

/** Signs a person in with a passkey of this device or near it. Throws what the browser or the service says. */
export async function signInWithPasskey(client: Client): Promise<void> {
  const { get } = await client.sessions.passkeyOptions({});
  const passkey = await startAuthentication({ optionsJSON: get as never });
  await client.sessions.create({ passkey: passkey as never });
}

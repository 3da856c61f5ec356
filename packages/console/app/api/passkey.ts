import type { Client, DecisionStatement } from "@letterslot/client";
import { startAuthentication } from "@simplewebauthn/browser";

/** Signs a person in with a passkey of this device or near it. Throws what the browser or the service says. */
export async function signInWithPasskey(client: Client): Promise<void> {
  const { get } = await client.sessions.passkeyOptions({});
  const passkey = await startAuthentication({ optionsJSON: get as never });
  await client.sessions.create({ passkey: passkey as never });
}

/** Has a person's passkey sign what they decide. Throws what the browser or the service says. */
export async function signDecision(
  client: Client,
  said: Parameters<Client["approvals"]["decideOptions"]>[0],
): Promise<{ digest: DecisionStatement["digest"]; passkey: Passkey }> {
  const { get, digest } = await client.approvals.decideOptions(said);
  return { digest, passkey: (await startAuthentication({ optionsJSON: get as never })) as never };
}

type Passkey = Exclude<Parameters<Client["approvals"]["decideInSession"]>[0]["passkey"], undefined>;

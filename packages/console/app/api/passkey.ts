import type { Client, DecisionStatement, Passkey } from "@letterslot/client";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { words } from "../words/index.ts";

/** Signs a person in with a passkey of this device or near it. Throws what the browser or the service says. */
export async function signInWithPasskey(client: Client): Promise<void> {
  const { get } = await client.sessions.passkeyOptions({});
  const passkey = await startAuthentication({ optionsJSON: get as never });
  await client.sessions.create({ passkey: passkey as never });
}

/** Makes a passkey; an older one confirms it where there is one. Throws what the browser or the service says. */
export async function addPasskey(client: Client, name: string): Promise<void> {
  const { create, get } = await client.passkeys.options({});
  if (create === null) throw new Error(words.accountOperations.passkeys.full);
  const passkey = await startRegistration({ optionsJSON: create as never });
  const confirm = get === null ? undefined : await startAuthentication({ optionsJSON: get as never });
  await client.passkeys.create({
    passkey: passkey as never,
    name,
    ...(confirm === undefined ? {} : { confirm: confirm as never }),
  });
}

/** Removes a passkey; where it counts for decisions, one that does confirms it. Throws what the browser or the service says. */
export async function removePasskey(
  client: Client,
  { id: passkey_id, counts_from }: Pick<Passkey, "id" | "counts_from">,
): Promise<void> {
  const { get } = Date.parse(counts_from) > Date.now() ? { get: null } : await client.passkeys.options({});
  if (get === null) {
    await client.passkeys.delete({ passkey_id });
    return;
  }
  const confirm = JSON.stringify(await startAuthentication({ optionsJSON: get as never }));
  const coded = btoa(confirm).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  await client.passkeys.delete({ passkey_id, confirm: coded });
}

/** Has a person's passkey sign what they decide. Throws what the service says, or that the passkey didn't sign. */
export async function signDecision(
  client: Client,
  said: Parameters<Client["approvals"]["decideOptions"]>[0],
): Promise<{ digest: DecisionStatement["digest"]; passkey: Assertion }> {
  const { get, digest } = await client.approvals.decideOptions(said);
  try {
    return { digest, passkey: (await startAuthentication({ optionsJSON: get as never })) as never };
  } catch {
    // What browsers say of a passkey that was cancelled isn't written for people.
    throw new Error(words.approval.passkeyFailed);
  }
}

type Assertion = Exclude<Parameters<Client["approvals"]["decideInSession"]>[0]["passkey"], undefined>;

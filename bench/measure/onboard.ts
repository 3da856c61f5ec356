import { type Client, createClient } from "@letterslot/client";
import { domainOf, type Envelope, SENDER } from "../mail/envelopes.ts";

/** An account on a running server, with an inbox that turns the load's mail into tasks. */
export interface Onboarded {
  client: Client;
  account_id: string;
  api_key: string;
  inbox_id: string;
  address: string;
}

/** Signs up and allowlists the load's sender, so that its mail creates tasks and runs the full pipeline. */
export async function onboard(base_url: string, username = "agent"): Promise<Onboarded> {
  const { account_id, api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({
    username,
  });
  const client = createClient({ baseUrl: base_url, apiKey: api_key });
  await client.allowlist.create({ inbox_id: inbox.id, address: SENDER });
  return { client, account_id, api_key, inbox_id: inbox.id, address: inbox.email };
}

/** The number of accounts that share the inboxes of a plan. */
const INBOXES_PER_ACCOUNT = 10;

/**
 * Signs up the accounts whose inboxes the envelopes name, and allowlists each inbox's senders. Returns the
 * accounts.
 */
export async function onboardAll(base_url: string, envelopes: readonly Envelope[]): Promise<Onboarded[]> {
  const accounts: Onboarded[] = [];
  const inboxes = [...Map.groupBy(envelopes, ({ to }) => to)];
  for (const [number, [address, mail]] of inboxes.entries()) {
    const username = address.slice(0, -domainOf(address).length - 1);
    let account = accounts.at(-1);
    let inbox_id = "";
    if (account === undefined || number % INBOXES_PER_ACCOUNT === 0) {
      const { account_id, api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({
        username,
      });
      inbox_id = inbox.id;
      account = {
        client: createClient({ baseUrl: base_url, apiKey: api_key }),
        account_id,
        api_key,
        inbox_id,
        address,
      };
      accounts.push(account);
    } else inbox_id = (await account.client.inboxes.create({ username })).id;
    for (const { from } of mail) await account.client.allowlist.create({ inbox_id, address: from });
  }
  return accounts;
}

import { type Client, createClient } from "@letterslot/client";
import { SENDER } from "../mail/mails.ts";

/** An account on a running server, with an inbox that turns the load's mail into tasks. */
export interface Onboarded {
  client: Client;
  api_key: string;
  inbox_id: string;
  address: string;
}

/** Signs up and allowlists the load's sender, so that its mail creates tasks and runs the full pipeline. */
export async function onboard(base_url: string, username = "agent"): Promise<Onboarded> {
  const { api_key, inbox } = await createClient({ base_url }).accounts.onboard({ username });
  const client = createClient({ base_url, api_key });
  await client.allowlist.create({ inbox_id: inbox.id, address: SENDER.address });
  return { client, api_key, inbox_id: inbox.id, address: inbox.email };
}

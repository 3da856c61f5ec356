import { type Client, createClient } from "@letterslot/client";
import { sender } from "../mail/mails.ts";

/** An account on a running server, with an inbox that takes the load's mail as tasks. */
export interface Onboarded {
  client: Client;
  api_key: string;
  inbox_id: string;
  address: string;
}

/**
 * Signs up; mail from the load's sender is allowed to make tasks, so that taking it in does all there is to
 * do.
 */
export async function onboard(base_url: string, username = "agent"): Promise<Onboarded> {
  const { api_key, inbox } = await createClient({ base_url }).accounts.onboard({ username });
  const client = createClient({ base_url, api_key });
  await client.allowlist.create({ inbox_id: inbox.id, address: sender.address });
  return { client, api_key, inbox_id: inbox.id, address: inbox.email };
}

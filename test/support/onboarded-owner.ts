import { type Client, createClient } from "@letterslot/client";
import type { Arrived } from "./smtp.ts";
import { until } from "./until.ts";

/** An inbox with a verified owner, and a client that doesn't retry. */
export interface OnboardedOwner {
  client: Client;
  /** A client with retries and a long timeout, to read the results on a busy machine. */
  reader: Client;
  inbox_id: string;
  api_key: string;
}

/** Creates an account whose owner is verified with the code from the letter. */
export async function onboardOwner(
  base_url: string,
  arrived: Arrived[],
  { username, owner }: { username: string; owner: string },
): Promise<OnboardedOwner> {
  const { api_key, inbox } = await createClient({ baseUrl: base_url }).accounts.onboard({
    username,
    owner_email: owner,
  });
  const client = createClient({ baseUrl: base_url, apiKey: api_key, retries: 0, timeoutMs: 10_000 });
  const reader = createClient({ baseUrl: base_url, apiKey: api_key, timeoutMs: 120_000 });
  const findCode = ({ to, text }: Arrived) => (to.includes(owner) ? /\b\d{6}\b/.exec(text)?.[0] : undefined);
  const code = await until("the letter with the code", () =>
    arrived.map(findCode).find((found) => found !== undefined),
  );
  const owner_id = (await client.owners.list({ inbox_id: inbox.id })).data[0]?.id ?? "";
  await client.owners.confirmWithCode({ inbox_id: inbox.id, owner_id, code });
  return { client, reader, inbox_id: inbox.id, api_key };
}

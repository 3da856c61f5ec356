import type { TestAccount } from "../testing/index.ts";

/** The codes for which a send waits; null if it left. */
export async function reasonsOf({ as }: TestAccount, send: () => Promise<unknown>): Promise<string[] | null> {
  const sent = (await send()) as { object: string; approval_id?: string };
  if (sent.object === "message") return null;
  const { reasons } = await as.approvals.get({ approval_id: sent.approval_id ?? "" });
  return reasons.map(({ code }) => code);
}

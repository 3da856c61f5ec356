import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { sendDigest } from "./send.ts";

/** The result of a flush: owners with queued updates, updates sent, letters sent. */
export interface Flushed {
  owners: number;
  updates: number;
  sent: number;
}

const PAGE_SIZE = 500;

/**
 * Sends the queued digests of an account now, one transaction per owner. They count against the owners' rate
 * limits.
 */
export async function flushAccount(services: Services, account_id: string, now: Date): Promise<Flushed> {
  const owners = new Set<string>();
  let after = "";
  for (;;) {
    const page = await services.storage.find("update_deliveries", {
      where: { account_id, status: "queued", id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE_SIZE,
    });
    for (const { owner_id } of page) owners.add(owner_id);
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE_SIZE) break;
  }
  const total = { owners: 0, updates: 0, sent: 0 };
  for (const owner_id of owners)
    await flushOwner(services, total, { account_id, owner_id, now, capped: true });
  return total;
}

/**
 * Sends all queued digests of all accounts now, for operators with their own timer. A failed owner is
 * skipped.
 */
export async function flushAll(services: Services, now: Date): Promise<Flushed> {
  const total = { owners: 0, updates: 0, sent: 0 };
  let after = "";
  for (;;) {
    const [next] = await services.storage.find("update_deliveries", {
      where: { status: "queued", owner_id: { gt: after } },
      order: { by: "owner_id", direction: "asc" },
      limit: 1,
    });
    if (next === undefined) return total;
    const { account_id, owner_id } = next;
    await flushOwner(services, total, { account_id, owner_id, now, capped: false }).catch((error: unknown) =>
      services.log.error({ error, owner_id }, "digest not sent"),
    );
    after = owner_id;
  }
}

async function flushOwner(
  services: Services,
  total: Flushed,
  { account_id, owner_id, now, capped }: { account_id: string; owner_id: string; now: Date; capped: boolean },
): Promise<void> {
  const { updates, sent } = await unitOfWork(services, account_id, now, (work) =>
    sendDigest(services, work, owner_id, { now, capped }),
  );
  total.owners += 1;
  total.updates += updates;
  total.sent += sent;
}

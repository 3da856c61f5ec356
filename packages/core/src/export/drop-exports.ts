import type { Services } from "../kernel/context.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { eraseExport } from "../messages/index.ts";
import { iso } from "../model/fields.ts";

const EXPORTS_AT_ONCE = 50;

/** Deletes exports whose time is over, with their zips; returns how many. */
export async function dropExpiredExports(services: Services, now: Date): Promise<number> {
  const expired = await services.storage.find("exports", {
    where: { expires_at: { lte: iso(now) } },
    order: { by: "expires_at", direction: "asc" },
    limit: EXPORTS_AT_ONCE,
  });
  for (const { id, account_id } of expired) {
    const erase = () => unitOfWork(services, account_id, now, (work) => eraseExport(work, id, now));
    while (await erase());
  }
  return expired.length;
}

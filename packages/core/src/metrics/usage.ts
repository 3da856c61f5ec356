import { limits } from "../catalogue/limits.ts";
import type { StorageReader } from "../ports/storage.ts";

const inboxesAtOnce = 100;

/** How many messages an account's inboxes hold, counted inbox by inbox. */
export async function countMessages(storage: StorageReader, account_id: string): Promise<number> {
  let total = 0;
  let after = "";
  for (;;) {
    const inboxes = await storage.find("inboxes", {
      where: { account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: inboxesAtOnce,
    });
    const counts = await Promise.all(
      inboxes.map(({ id }) => storage.count("messages", { inbox_id: id }, limits.usage_counted_to)),
    );
    total += counts.reduce((sum, count) => sum + count, 0);
    const last = inboxes.at(-1);
    if (last === undefined || inboxes.length < inboxesAtOnce) return total;
    after = last.id;
  }
}

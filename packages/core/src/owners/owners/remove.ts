import { endPersons } from "../../kernel/addresses/address-registry.ts";
import type { Work } from "../../kernel/work.ts";

/** Removes an owner in the caller's transaction; their queued updates are skipped. */
export async function removeOwner(work: Work, inbox_id: string, owner_id: string): Promise<void> {
  await work.update(
    "update_deliveries",
    { owner_id, status: "queued" },
    { status: "skipped", reason: "owner_deleted" },
  );
  await work.delete("update_threads", { inbox_id, owner_id });
  const owner = await work.get("owners", owner_id);
  await work.delete("owners", { id: owner_id });
  if (owner?.status === "verified") await endPersons(work, [owner.email]);
}

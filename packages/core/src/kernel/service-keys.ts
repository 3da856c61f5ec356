import { iso } from "../model/fields.ts";
import type { Services } from "./context.ts";

/**
 * The key of the service itself that has this name. The first call creates it with `make`; of several processes
 * that do so at once, one stores its key and all answer that one.
 */
export async function serviceKey(
  { storage, seal }: Pick<Services, "storage" | "seal">,
  { name, now, make }: { name: string; now: Date; make: () => Promise<string> },
): Promise<string> {
  const stored = await storage.get("service_keys", name);
  if (stored !== undefined) return seal.open(stored.sealed_key);
  const made = { name, sealed_key: seal.seal(await make()), created_at: iso(now) };
  const { record } = await storage.insert("service_keys", made);
  return seal.open(record.sealed_key);
}

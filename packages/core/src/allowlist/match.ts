import type { StorageReader } from "../ports/storage.ts";
import { entriesFor } from "./rules.ts";

/** Whether an inbox's allowlist lets an address in; the From address of mail, as it was parsed. */
export async function allowlistLetsIn(reader: StorageReader, inbox_id: string, address: string): Promise<boolean> {
  const accepted = entriesFor(address);
  if (accepted.length === 0) return false;
  const found = await reader.find("allowlist", { where: { inbox_id, address: { in: accepted } }, limit: 1 });
  return found.length > 0;
}

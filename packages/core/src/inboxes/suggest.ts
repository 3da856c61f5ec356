import type { StorageReader } from "../ports/storage.ts";
import { randomUsername } from "./random-username.ts";
import { nameSuggestions, objectionTo } from "./rules.ts";

const suggested = 3;
const randomTries = 10;

/** Whether a lower-case username can be taken by an account, why not, and up to three that can. */
export async function checkName(
  storage: StorageReader,
  { username, account_id, domain }: { username: string; account_id: string; domain: string },
): Promise<{ available: boolean; reason: "taken" | "reserved" | "invalid" | null; suggestions: string[] }> {
  const reason = objectionTo(username) ?? ((await isFree(username)) ? null : ("taken" as const));
  if (reason === null) return { available: true, reason, suggestions: [] };

  const suggestions: string[] = [];
  for (const name of [...nameSuggestions(username), ...Array.from({ length: randomTries }, randomUsername)]) {
    if (suggestions.length === suggested) break;
    if (objectionTo(name) === null && !suggestions.includes(name) && (await isFree(name)))
      suggestions.push(name);
  }
  return { available: false, reason, suggestions };

  /** An address that the account had once is its own to take again. */
  async function isFree(name: string): Promise<boolean> {
    const issued = await storage.get("addresses", `${name}@${domain}`);
    return issued === undefined || (issued.account_id === account_id && issued.inbox_id === null);
  }
}

import { z } from "zod";
import { operation } from "../kernel/operation.ts";
import { Username } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";
import { randomUsername } from "./random-username.ts";
import { nameSuggestions, objectionTo } from "./rules.ts";

/** The operations on usernames. */
export const usernames = {
  check: operation({
    summary: "Shows whether a username is available, why not, and alternatives.",
    scope: "filtered",
    effect: "read",
    allow: "any",
    input: z.object({ username: Username }),
    output: z.object({
      object: z.literal("username_check").default("username_check"),
      username: z.string(),
      available: z.boolean(),
      reason: z.enum(["taken", "reserved", "invalid"]).nullable(),
      suggestions: z.array(z.string()),
    }),
    async run({ storage, account_id, options }, { username }) {
      return {
        username,
        ...(await checkName(storage, { username, account_id, domain: options.mail_domain })),
      };
    },
  }),
};

const SUGGESTION_COUNT = 3;
const MAX_RANDOM_TRIES = 10;

/** Whether an account can take a lower-case username, why not, and up to three alternatives. */
export async function checkName(
  storage: StorageReader,
  { username, account_id, domain }: { username: string; account_id: string; domain: string },
): Promise<{ available: boolean; reason: "taken" | "reserved" | "invalid" | null; suggestions: string[] }> {
  const reason = objectionTo(username) ?? ((await isFree(username)) ? null : ("taken" as const));
  if (reason === null) return { available: true, reason, suggestions: [] };

  const suggestions: string[] = [];
  for (const name of [
    ...nameSuggestions(username),
    ...Array.from({ length: MAX_RANDOM_TRIES }, randomUsername),
  ]) {
    if (suggestions.length === SUGGESTION_COUNT) break;
    if (objectionTo(name) === null && !suggestions.includes(name) && (await isFree(name)))
      suggestions.push(name);
  }
  return { available: false, reason, suggestions };

  /** An account can take an address again that it had before. */
  async function isFree(name: string): Promise<boolean> {
    const issued = await storage.get("addresses", `${name}@${domain}`);
    return issued === undefined || (issued.account_id === account_id && issued.inbox_id === null);
  }
}

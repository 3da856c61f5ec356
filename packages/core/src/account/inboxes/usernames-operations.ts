import { z } from "zod";
import { isFreeAddress } from "../../kernel/addresses/address-registry.ts";
import { addressAt } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { Username } from "../../model/inboxes.ts";
import { randomUsername } from "./random-username.ts";
import { nameSuggestions, objectionTo } from "./rules.ts";

/** The operations on usernames. */
export const usernames = {
  check: operation({
    summary: "Shows whether a username is available, why not, and alternatives.",
    when: "Find a free username before you create an inbox.",
    example: { username: "support" },
    scope: "filtered",
    effect: "read",
    allow: "any",
    input: z.object({ username: Username.describe("The username to check.") }),
    output: z.object({
      object: z.literal("username_check").default("username_check"),
      username: z.string().describe("The username in lower case."),
      available: z.boolean().describe("Whether the account can take it."),
      reason: z
        .enum(["taken", "reserved", "invalid"])
        .nullable()
        .describe("Why not; null if it is available."),
      suggestions: z.array(z.string()).describe("Up to three similar ones that are available."),
    }),
    async run({ storage, account_id, options, now }, { username }) {
      return {
        username,
        ...(await checkName({ storage, options }, { username, account_id }, now)),
      };
    },
  }),
};

const SUGGESTION_COUNT = 3;
const MAX_RANDOM_TRIES = 10;

/** Whether an account can take a lower-case username, why not, and up to three alternatives. */
export async function checkName(
  { storage, options }: Pick<Services, "storage" | "options">,
  { username, account_id }: { username: string; account_id: string },
  now: Date,
): Promise<{ available: boolean; reason: "taken" | "reserved" | "invalid" | null; suggestions: string[] }> {
  /** An account can take an address again that it had before. */
  const isFree = (name: string) => isFreeAddress(storage, addressAt({ options }, name), account_id, now);
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
}

import { z } from "zod";
import { operation } from "../kernel/operation.ts";
import { Username } from "../model/inboxes.ts";
import { checkName } from "./suggest.ts";

/** What can be asked about usernames. */
export const usernames = {
  check: operation({
    summary: "Tells whether a username can be taken, why not, and which ones like it can.",
    scope: "filtered",
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

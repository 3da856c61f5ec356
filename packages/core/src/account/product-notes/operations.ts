import { z } from "zod";
import { nameOfAccount } from "../../kernel/access/account-name.ts";
import { operation } from "../../kernel/operation.ts";
import { LifecycleSubscription } from "../../model/lifecycle.ts";

const Token = z.string({ error: "lifecycle_link_invalid" }).max(500, { error: "lifecycle_link_invalid" });

/** The operations on the weekly product note, by the token in each note. */
export const lifecycle = {
  subscription: operation({
    summary:
      "Shows whether an account gets the weekly product note, by the token of a note. Changes nothing.",
    when: "A page of your own behind the unsubscribe link of a product note.",
    scope: "public",
    effect: "read",
    letter: "product_note",
    allow: "any",
    input: z.object({ token: Token.describe("The token of the link in the note.") }),
    output: LifecycleSubscription,
    run: async ({ storage, letter: { account } }) => ({
      ...account,
      account_name: await nameOfAccount(storage, account.id),
    }),
  }),

  unsubscribe: operation({
    summary: "Stops the weekly product note for the account whose note contains the token.",
    when: "Mail programs call it for the List-Unsubscribe header of a note.",
    scope: "public",
    effect: "write",
    letter: "product_note",
    allow: "any",
    input: z.object({ token: Token.describe("The token of the link in the note.") }),
    output: LifecycleSubscription,
    async run({ storage, letter }) {
      const { id } = letter.account;
      await storage.update("accounts", { id }, { lifecycle_emails: "off" });
      return { lifecycle_emails: "off" as const, account_name: await nameOfAccount(storage, id) };
    },
  }),
};

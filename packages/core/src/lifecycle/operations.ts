import { z } from "zod";
import { operation } from "../kernel/operation.ts";
import { LifecycleSubscription } from "../model/lifecycle.ts";
import { accountByToken } from "./token.ts";

const Token = z.string({ error: "lifecycle_link_invalid" }).max(500, { error: "lifecycle_link_invalid" });

/** The weekly product note, by the token that each note carries. */
export const lifecycle = {
  subscription: operation({
    summary:
      "Shows whether an account gets the weekly product note, by the token of a note, without changing it.",
    scope: "public",
    allow: "any",
    input: z.object({ token: Token }),
    output: LifecycleSubscription,
    run: (ctx, { token }) => accountByToken(ctx, token),
  }),

  unsubscribe: operation({
    summary: "Ends the weekly product note of the account whose note holds the token.",
    scope: "public",
    allow: "any",
    input: z.object({ token: Token }),
    output: LifecycleSubscription,
    async run(ctx, { token }) {
      const { id } = await accountByToken(ctx, token);
      await ctx.storage.update("accounts", { id }, { lifecycle_emails: "off" });
      return { lifecycle_emails: "off" as const };
    },
  }),
};

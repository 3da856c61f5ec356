import { z } from "zod";
import { operation } from "../operation.ts";
import { flushAccount } from "./flush.ts";
import { DigestFlush } from "./schema.ts";

/** The daily digests of an account. */
export const digests = {
  flush: operation({
    summary: "Sends the queued digests of the account's owners now, instead of at 13:00 UTC.",
    scope: "account",
    allow: ["owner_manage"],
    input: z.object({}),
    output: DigestFlush,
    run: (ctx) => flushAccount(ctx, ctx.account_id, ctx.now),
  }),
};

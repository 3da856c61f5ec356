import { z } from "zod";
import { operation } from "../../../kernel/operation.ts";
import { DigestFlush } from "../../../model/digests.ts";
import { flushAccount } from "./flush.ts";

/** The operations on daily digests. */
export const digests = {
  flush: operation({
    summary: "Sends the queued digests of the account's owners now, instead of at 13:00 UTC.",
    when: "Send what is queued for daily digests now, such as at the end of a day's work.",
    scope: "account",
    effect: "write",
    allow: ["owner_manage"],
    input: z.object({}),
    output: DigestFlush,
    run: (ctx) => flushAccount(ctx, ctx.account_id, ctx.now),
  }),
};

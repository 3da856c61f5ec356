import { commandOf } from "../catalogue/command-of.ts";

/** `letterslot refusals`: what was refused to the account's keys and apps. */
export const command = commandOf("refusals.list", {
  summary: "Lists the calls that were refused within 7 days",
  examples: [
    "letterslot refusals",
    "letterslot refusals --code permission_denied --after 2026-11-20T00:00:00Z",
  ],
});

import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";

/** `letterslot approvals`: actions that wait for an owner's approval. */
export const command: Group = {
  summary: "What waits for an owner's word",
  examples: ["letterslot approvals list --status pending"],
  commands: {
    list: commandOf("approvals.list", { examples: ["letterslot approvals list --status pending"] }),
    get: commandOf("approvals.get", { args: ["approval_id"], examples: ["letterslot approvals get apr_…"] }),
    receipt: commandOf("approvals.receipt", {
      args: ["approval_id"],
      examples: ["letterslot approvals receipt apr_… > receipt.json"],
    }),
    cancel: commandOf("approvals.cancel", {
      args: ["approval_id"],
      examples: ["letterslot approvals cancel apr_…"],
    }),
  },
};

import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";

const NEEDS_KEY = { needs_key: true } as const;

/** `letterslot workspaces`: accounts of their own below this one. */
export const command: Group = {
  summary: "Accounts of their own below yours, such as for customers",
  about: "Every command acts within one with --workspace <id>.",
  examples: ["letterslot workspaces list", "letterslot inboxes list --workspace wsp_…"],
  commands: {
    list: commandOf("workspaces.list", { ...NEEDS_KEY, examples: ["letterslot workspaces list"] }),
    create: commandOf("workspaces.create", {
      ...NEEDS_KEY,
      summary: "Creates a workspace; its key is shown only this once",
      args: ["name"],
      examples: ["letterslot workspaces create 'Acme Ltd' --inbox-quota 5"],
    }),
    get: commandOf("workspaces.get", {
      ...NEEDS_KEY,
      args: ["workspace_id"],
      examples: ["letterslot workspaces get wsp_…"],
    }),
    update: commandOf("workspaces.update", {
      ...NEEDS_KEY,
      args: ["workspace_id"],
      examples: ["letterslot workspaces update wsp_… --inbox-quota 10"],
    }),
    delete: commandOf("workspaces.delete", {
      ...NEEDS_KEY,
      args: ["workspace_id"],
      confirm: ({ workspace_id }) =>
        `This deletes the workspace ${String(workspace_id)} and what is left of it, for good.`,
      examples: ["letterslot workspaces delete wsp_… --yes"],
    }),
  },
};

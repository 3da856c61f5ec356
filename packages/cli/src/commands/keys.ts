import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";

const NEEDS_KEY = { needs_key: true } as const;
const KEY_WORD = { key_id: { about: "the key's id" } } as const;

/** `letterslot keys`. */
export const command: Group = {
  summary: "API keys: what may use the account, and for what",
  examples: ["letterslot keys list", "letterslot keys create worker --permissions message_read"],
  commands: {
    list: commandOf("keys.list", { ...NEEDS_KEY, examples: ["letterslot keys list"] }),
    create: commandOf("keys.create", {
      ...NEEDS_KEY,
      summary: "Creates a key; its secret is shown only this once",
      args: ["name"],
      change: {
        permissions: { placeholder: "permission" },
        inbox_id: { about: "hold the key to this inbox; to none by default" },
      },
      examples: [
        "letterslot keys create worker --inbox ada --permissions message_read --permissions message_send",
        "letterslot keys create trial --ttl-hours 24 --json",
      ],
    }),
    get: commandOf("keys.get", {
      ...NEEDS_KEY,
      args: ["key_id"],
      change: KEY_WORD,
      examples: ["letterslot keys get key_…"],
    }),
    update: commandOf("keys.update", {
      ...NEEDS_KEY,
      args: ["key_id"],
      change: KEY_WORD,
      examples: ["letterslot keys update key_… --name worker-2"],
    }),
    delete: commandOf("keys.delete", {
      ...NEEDS_KEY,
      summary: "Revokes a key at once",
      args: ["key_id"],
      change: KEY_WORD,
      confirm: ({ key_id }) => `This revokes ${String(key_id)}: whatever uses it stops working.`,
      examples: ["letterslot keys delete key_… --yes"],
    }),
  },
};

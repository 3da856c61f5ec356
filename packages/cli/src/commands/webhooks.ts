import { commandOf } from "../catalogue/command-of.ts";
import type { Group } from "../frame/command.ts";

/** `letterslot webhooks`. */
export const command: Group = {
  summary: "Addresses that events are posted to",
  examples: ["letterslot webhooks create https://example.com/hook --events message.received"],
  commands: {
    list: commandOf("webhooks.list", { examples: ["letterslot webhooks list"] }),
    create: commandOf("webhooks.create", {
      summary: "Adds a webhook; its secret is shown only this once",
      args: ["url"],
      without: ["secret"],
      change: { events: { placeholder: "event" }, inbox_ids: { placeholder: "id" } },
      examples: [
        "letterslot webhooks create https://example.com/hook --events message.received --events task.received",
      ],
    }),
    get: commandOf("webhooks.get", { args: ["webhook_id"], examples: ["letterslot webhooks get wh_…"] }),
    update: commandOf("webhooks.update", {
      args: ["webhook_id"],
      without: ["secret", "url"],
      options: {
        new_url: { kind: "text", about: "where events are posted from now on", placeholder: "url" },
      },
      input: async (_, { new_url, ...given }) => ({
        ...given,
        ...(new_url === undefined ? {} : { url: new_url }),
      }),
      examples: ["letterslot webhooks update wh_… --enabled", "letterslot webhooks update wh_… --no-enabled"],
    }),
    delete: commandOf("webhooks.delete", {
      args: ["webhook_id"],
      confirm: ({ webhook_id }) => `This deletes ${String(webhook_id)}; what waits to be posted is not.`,
      examples: ["letterslot webhooks delete wh_… --yes"],
    }),
    test: commandOf("webhooks.test", {
      summary: "Posts a test event to a webhook",
      args: ["webhook_id"],
      examples: ["letterslot webhooks test wh_…"],
    }),
    deliveries: commandOf("webhooks.deliveries", {
      args: ["webhook_id"],
      examples: ["letterslot webhooks deliveries wh_… --status failed"],
    }),
    redeliver: commandOf("webhooks.redeliver", {
      summary: "Posts the event of a delivery again",
      args: ["webhook_id", "delivery_id"],
      examples: ["letterslot webhooks redeliver wh_… whd_…"],
    }),
    "rotate-secret": commandOf("webhooks.rotateSecret", {
      summary: "Makes a new secret, shown only this once; both sign for 24 hours",
      args: ["webhook_id"],
      examples: ["letterslot webhooks rotate-secret wh_…"],
    }),
  },
};

import { defineCommand } from "../frame/command.ts";

/** `letterslot whoami`: the server, account and inbox that commands use, and their permissions. */
export const command = defineCommand({
  summary: "Shows which account you use, and what you may do there",
  examples: ["letterslot whoami", "letterslot whoami --json | jq -r .account_id"],
  async run(context) {
    const { client, base_url, profile, credential, inbox } = await context.connect();
    const { signal, output } = context;
    const me = await client.me.get({}, { signal });
    if (output.json) return output.record({ ...me, url: base_url, profile: profile ?? null });
    const { permissions, inbox_ids } = me.access;
    const chosen = inbox_ids?.[0] ?? inbox;
    const email =
      chosen === undefined
        ? undefined
        : await client.inboxes.get({ inbox_id: chosen }, { signal }).then(
            (found) => found.email,
            () => chosen,
          );
    await output.record({
      server: base_url,
      profile: profile ?? "none: the key is in the environment",
      account: me.account_id,
      with: credential === "oauth" ? "a login" : `the key ${me.key?.name ?? ""} (${me.key?.prefix ?? ""}…)`,
      inbox: email ?? "none chosen: letterslot inboxes use",
      may: permissions ?? "everything",
      in: inbox_ids ?? "the whole account",
      restrictions: me.restrictions.length === 0 ? "none" : me.restrictions,
    });
  },
});

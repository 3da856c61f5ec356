import { commandOf } from "../catalogue/command-of.ts";
import { inboxIdOf } from "../catalogue/inbox.ts";
import { defineCommand, type Group } from "../frame/command.ts";
import { wrongUse } from "../frame/exit.ts";
import { changeConfig } from "../profile/config-file.ts";

const create = commandOf("inboxes.create", {
  args: ["username"],
  examples: ["letterslot inboxes create ada", "letterslot inboxes create --ttl-hours 24 --labels trial"],
});

const get = commandOf("inboxes.get", {
  summary: "Shows an inbox",
  args: ["inbox_id"],
  change: INBOX_WORD(),
  examples: ["letterslot inboxes get ada@letterslot.localhost"],
});

const update = commandOf("inboxes.update", {
  args: ["inbox_id"],
  change: INBOX_WORD(),
  examples: [
    "letterslot inboxes update ada --display-name 'Ada, support'",
    "letterslot inboxes update ada --status paused",
  ],
});

const remove = commandOf("inboxes.delete", {
  args: ["inbox_id"],
  change: INBOX_WORD(),
  examples: ["letterslot inboxes delete ada", "letterslot inboxes delete ada --yes"],
  confirm: ({ inbox_id, permanent }) =>
    permanent === true
      ? `This deletes the inbox ${String(inbox_id)} with all its mail, for good.`
      : `This moves the inbox ${String(inbox_id)} with all its mail to the trash, for 7 days.`,
});

const restore = commandOf("inboxes.restore", {
  summary: "Takes an inbox out of the trash",
  args: ["inbox_id"],
  examples: ["letterslot inboxes restore inb_…"],
});

const use = defineCommand({
  summary: "Makes an inbox the one that commands are about",
  examples: ["letterslot inboxes use ada"],
  args: { inbox: { kind: "text", about: "its id, address or username", required: true } },
  async run(context, { inbox }) {
    const connection = await context.connect();
    const { profile } = connection;
    if (profile === undefined)
      throw wrongUse(
        "The key comes from the environment, so there is no profile to keep it in.",
        "Set LETTERSLOT_INBOX.",
      );
    const id = await inboxIdOf(connection, context, inbox);
    const { email } = await connection.client.inboxes.get({ inbox_id: id }, { signal: context.signal });
    await changeConfig(context.env, (config) => {
      const known = config.profiles[profile];
      return known === undefined
        ? config
        : { ...config, profiles: { ...config.profiles, [profile]: { ...known, inbox: id } } };
    });
    await context.output.done(`Commands are about ${email} now.`, {
      object: "profile",
      name: profile,
      inbox: id,
      email,
    });
  },
});

/** `letterslot inboxes`. */
export const command: Group = {
  summary: "Addresses: list, create, change and delete them",
  examples: ["letterslot inboxes list", "letterslot inboxes create ada"],
  commands: {
    list: commandOf("inboxes.list", {
      examples: ["letterslot inboxes list", "letterslot inboxes list --q support"],
    }),
    create,
    get,
    update,
    delete: remove,
    restore,
    use,
  },
};

/** The inbox as the first word: its id, address or username. */
function INBOX_WORD() {
  return { inbox_id: { about: "its id, address or username", placeholder: "inbox" } };
}

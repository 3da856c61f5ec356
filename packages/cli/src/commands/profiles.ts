import { nearest } from "@letterslot/core/internal";
import { defineCommand, type Group } from "../frame/command.ts";
import { CliError, EXIT } from "../frame/exit.ts";
import { changeConfig, readConfig } from "../profile/config-file.ts";

const list = defineCommand({
  summary: "Lists the profiles: servers, and how you get in",
  examples: ["letterslot profiles list"],
  async run({ env, output }) {
    const { current, profiles } = readConfig(env);
    const rows = Object.entries(profiles).map(([name, { url, oauth, inbox = null }]) => ({
      object: "profile",
      name,
      current: name === current,
      url,
      access: oauth === undefined ? "key" : "login",
      inbox,
    }));
    const columns = (["name", "current", "url", "access", "inbox"] as const).map((title) => ({
      title,
      of: (row: (typeof rows)[number]) => row[title],
    }));
    await output.list(rows, columns, "There are no profiles yet: letterslot init makes one.");
  },
});

const use = defineCommand({
  summary: "Makes a profile the current one",
  examples: ["letterslot profiles use work"],
  args: { name: { kind: "text", about: "the profile", required: true } },
  async run({ env, output }, { name }) {
    await changeConfig(env, (config) => {
      if (Object.hasOwn(config.profiles, name)) return { ...config, current: name };
      const meant = nearest(name, Object.keys(config.profiles));
      throw new CliError(`There is no profile ${JSON.stringify(name)}.`, {
        exit: EXIT.not_found,
        fix:
          meant === undefined ? "letterslot profiles list shows which there are." : `Did you mean ${meant}?`,
      });
    });
    await output.done(`Commands use profile ${name} now.`, { object: "profile", name, current: true });
  },
});

/** `letterslot profiles`: the servers that this user knows. */
export const command: Group = {
  summary: "The servers you use, and which is the current one",
  examples: ["letterslot profiles list", "letterslot profiles use work"],
  commands: { list, use },
};

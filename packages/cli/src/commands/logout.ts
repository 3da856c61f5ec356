import { defineCommand } from "../frame/command.ts";
import { CliError, EXIT } from "../frame/exit.ts";
import { changeConfig, DEFAULT_PROFILE, readConfig } from "../profile/config-file.ts";
import { revoke } from "../profile/oauth.ts";

/** `letterslot logout`: ends a login, and forgets the profile. */
export const command = defineCommand({
  summary: "Ends a login and forgets the profile",
  about:
    "What a login gave stops working at once, everywhere. An API key is only forgotten here: it goes on working until letterslot keys delete revokes it, so keep it elsewhere first.",
  examples: ["letterslot logout", "letterslot logout --profile work"],
  async run({ globals, env, output, terminal }) {
    const known = readConfig(env);
    const name = globals.profile ?? known.current;
    const profile = known.profiles[name];
    if (profile === undefined)
      throw new CliError(`There is no profile ${JSON.stringify(name)}.`, {
        exit: EXIT.not_found,
        fix: "letterslot profiles list shows which there are.",
      });
    const revoked = await revoke(profile).catch(() => false);
    if (profile.oauth !== undefined && !revoked)
      terminal.note(
        "The server could not be told: until it ends by itself, end the access in the owner's session.",
      );
    await changeConfig(env, (config) => {
      const profiles = Object.fromEntries(Object.entries(config.profiles).filter(([each]) => each !== name));
      const [first = DEFAULT_PROFILE] = Object.keys(profiles);
      return { current: config.current === name ? first : config.current, profiles };
    });
    await output.done(`Profile ${name} is forgotten.`, { object: "logout", profile: name, revoked });
  },
});

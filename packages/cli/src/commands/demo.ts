import { makeDemoFolder, removeFolder } from "../demo/folder.ts";
import { OLGA, openWorld, play, type Story, type Verdict } from "../demo/story.ts";
import { defineCommand } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { jsonLine, oneLine } from "../frame/text.ts";
import { failureOf } from "../operator/run-server-command.ts";
import { forgetProfile, keepProfile } from "../profile/config-file.ts";

const PROFILE = "demo";

const OUTCOMES: Record<Verdict["outcome"], string> = {
  task: "A task for Ada",
  no_task: "Kept, but no task",
  held: "Held: Ada can't read it",
};

/** `letterslot demo`. */
export const command = defineCommand({
  summary: "Shows it all with a made-up owner, and nothing to set up",
  about:
    "It starts a service on free ports of this machine, and simulates two mail domains. The agent Ada gets a mail that her owner's domain signed, a forged one, and one that tries to steer her. Then Ada asks her owner before she sends mail: you can be the owner in your browser, and a language model can be Ada, by the profile demo. Ctrl-C ends it, and nothing stays.",
  examples: ["letterslot demo"],
  async run(context) {
    const { output, env, signal, terminal } = context;
    const say = (line: string) => terminal.write(`${line}\n`);
    terminal.note("Letterslot, with an owner, an agent and three mails that are made up.\n");
    const closing: (() => unknown)[] = [];
    try {
      const folder = makeDemoFolder();
      closing.push(() => removeFolder(folder));
      const opened = openWorld(folder).then((each) => {
        closing.push(each.world.close);
        return each;
      });
      const [server, { world, settings }] = await Promise.all([import("@letterslot/server/command"), opened]);
      const running = await server.startWith(settings).catch((error: unknown) => {
        throw failureOf(server, error);
      });
      closing.push(running.close);
      let number = 0;
      const story = await play(running, { world, folder, signal }, async (verdict) => {
        number++;
        await say(output.json ? jsonLine({ object: "verdict", ...verdict }) : told(context, number, verdict));
      });
      const { api_key, inbox, approval_url } = story;
      const url = running.base_url;
      await keepProfile(env, PROFILE, { url, api_key, inbox: inbox.id });
      closing.push(() => forgetProfile(env, PROFILE, url));
      const mcp = mcpLine(context.version);
      await say(
        output.json
          ? jsonLine({ object: "demo", url, approval_url, console_url: `${url}/console/`, mcp })
          : invitation(context, story, url, mcp),
      );
      await untilAborted(signal);
    } finally {
      await closeAll(closing);
    }
  },
});

/** Closes the newest first; one that fails keeps no other open. */
async function closeAll(closing: (() => unknown)[]): Promise<void> {
  const close = closing.pop();
  if (close === undefined) return;
  try {
    await close();
  } finally {
    await closeAll(closing);
  }
}

function told({ terminal: { style } }: Context, number: number, verdict: Verdict): string {
  const { from, subject, outcome, reasons } = verdict;
  const colour = outcome === "task" ? "green" : outcome === "held" ? "red" : "yellow";
  return [
    `${number}. ${style("bold", oneLine(subject))}, from ${oneLine(from)}`,
    `   ${style(colour, OUTCOMES[outcome])}`,
    ...reasons.map((reason) => `   - ${reason}`),
    "",
  ].join("\n");
}

function invitation(
  { terminal: { style } }: Context,
  { inbox, approval_url }: Story,
  url: string,
  mcp: string,
): string {
  return `Ada wants to order the paper by mail, which leaves only if ${OLGA} approves it.
Be Olga, and open her link; the page says where her sign-in code is:

  ${style("bold", approval_url)}

Then see on the console what else waits for her, and all that Ada did; that browser is signed in by then:

  ${style("bold", `${url}/console/`)}

Let a language model be Ada (${inbox.email}), and ask it which tasks it has:

  claude mcp add letterslot-demo -- ${mcp}

All mail to and from Ada's people is at ${url}/outbox, the documentation at ${url}/docs.
Ctrl-C ends it, and nothing stays.`;
}

/** The command that a client of models starts: of this version, or from a clone this very program. */
function mcpLine(version: string): string {
  const program = import.meta.url.endsWith(".ts")
    ? [process.execPath, process.argv[1] ?? ""]
    : ["npx", "-y", `@letterslot/cli@${version}`];
  return [...program, "mcp", "--profile", PROFILE].join(" ");
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

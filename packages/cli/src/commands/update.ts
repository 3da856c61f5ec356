import { commandOf } from "../catalogue/command-of.ts";
import { readWords } from "../catalogue/letter.ts";
import { CliError } from "../frame/exit.ts";
import { cell } from "../frame/output.ts";

/** `letterslot update`: tells the owners how the work goes, or asks them. */
export const command = commandOf("updates.create", {
  summary: "Tells the owners how the work goes, or asks them something",
  about:
    "Every verified owner of the inbox gets it, now or in their daily digest. The answer to a question comes back as a task.",
  args: ["text"],
  optional: ["kind"],
  change: {
    text: { about: "what happened, in a short sentence; - is standard input" },
    kind: { short: "k", about: "what it is; progress by default" },
  },
  input: async (context, given) => ({
    kind: "progress",
    ...given,
    ...(given["text"] === "-" ? { text: await readWords(context, "-") } : {}),
  }),
  async show({ output }, answer) {
    const deliveries = (answer["deliveries"] ?? []) as { status: string }[];
    if (deliveries.length === 0)
      throw new CliError("Nobody was told: no owner has confirmed yet.", {
        fix: "See letterslot owners list.",
      });
    await output.done(
      `Told ${deliveries.length} owner${deliveries.length === 1 ? "" : "s"}: ${cell(deliveries.map(({ status }) => status))}.`,
      answer,
    );
  },
  examples: [
    "letterslot update 'Half of the invoices are in.' --kind progress",
    `letterslot update 'Which paper?' --kind needs_input --question '{"type":"choice","options":["Recycled","White"]}'`,
  ],
});

import { givenOf } from "../catalogue/fields.ts";
import { INBOX, inboxIdOf } from "../catalogue/inbox.ts";
import { defineCommand, type Group } from "../frame/command.ts";
import { oneLine } from "../frame/text.ts";
import { WAIT_OPTION, waitFor } from "./wait-for.ts";

const wait = defineCommand({
  summary: "Waits for the one-time code or link of a sign-up or sign-in",
  about:
    "Mail of the last 5 minutes counts too. On a terminal, or with --value, it prints the code (or the link) alone. If none comes in time, it ends with exit code 3.",
  options: {
    inbox: INBOX,
    timeout: WAIT_OPTION,
    from_domain: {
      kind: "text",
      about: "only mail from this domain, whose sender was authenticated",
      placeholder: "domain",
    },
    from_contains: { kind: "text", about: "only mail whose author's address or name contains this" },
    subject_contains: { kind: "text", about: "only mail whose subject contains this" },
    after: { kind: "text", about: "only mail that arrived after this time", placeholder: "time" },
    value: { kind: "flag", about: "print only the code or link, piped too" },
  },
  examples: [
    "letterslot code wait --from-domain shop.example",
    "code=$(letterslot code wait --value --timeout 120)",
  ],
  async run(context, { inbox, timeout, value, ...filters }) {
    const connection = await context.connect();
    const inbox_id = await inboxIdOf(connection, context, inbox);
    const { signal, output, terminal } = context;
    const found = await waitFor(context, { timeout, most: 55, what: "code" }, async (seconds) => {
      const input = { inbox_id, wait: seconds, ...givenOf(filters) };
      const answer = await connection.client.messages.waitForCode(input, { signal });
      return answer.code === null && answer.link === null ? undefined : answer;
    });
    const alone = oneLine(found.code ?? found.link ?? "");
    if (value) return terminal.write(`${alone}\n`);
    await output.done(alone, { ...found });
  },
});

/** `letterslot code`. */
export const command: Group = {
  summary: "One-time codes and links of sign-ups and sign-ins",
  examples: ["letterslot code wait"],
  commands: { wait },
};

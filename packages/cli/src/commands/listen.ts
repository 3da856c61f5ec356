import { ONE_INBOX } from "../catalogue/inbox.ts";
import { defineCommand } from "../frame/command.ts";
import type { Context } from "../frame/context.ts";
import { CliError, EXIT, wrongUse } from "../frame/exit.ts";
import { jsonLine, oneLine } from "../frame/text.ts";
import { refusalOf } from "../listen/forward-address.ts";
import { type Attempt, type ListenReport, listen, NotForwarded } from "../listen/listen.ts";
import { isTaken } from "../listen/post-event.ts";
import { listenSecret } from "../listen/secret.ts";
import { subjectOf } from "../listen/subject-of.ts";
import { filterOf, startOf } from "./events.ts";

/** `letterslot listen`. */
export const command = defineCommand({
  summary: "Posts what happens to a port of your own machine",
  about:
    "Each event is posted as a webhook would be, with the same body, headers and signatures, and again until your program answers 2xx; the next one comes after it. The secret to verify with is shown at the start. What happens while your program, the server or this command is stopped is posted afterwards, so that none is lost; the last one may come twice, with the same x-svc-delivery.",
  options: {
    forward: { kind: "text", required: true, about: "where to post to", placeholder: "url" },
    events: {
      kind: "text",
      many: true,
      about: "only these types, such as message.received",
      placeholder: "type",
    },
    inbox: ONE_INBOX,
    replay: {
      kind: "text",
      about: "post again from here on: 90s, 15m, 2h, 7d ago; a time; an event's sequence; oldest; or now",
      placeholder: "when",
    },
    once: { kind: "flag", about: "end when all that has happened is posted" },
  },
  examples: [
    "letterslot listen --forward http://localhost:3000/hook",
    "letterslot listen --forward http://localhost:3000/hook --events task.received --replay 1h --once",
  ],
  async run(context, { forward: url, events, inbox, replay, once }) {
    const refusal = await refusalOf(url);
    if (refusal !== undefined) throw wrongUse(`Nothing is posted to ${url}. ${refusal}`);
    const start = replay === undefined ? undefined : startOf(replay, "--replay");
    const connection = await context.connect();
    const { types = [], ...held } = await filterOf(connection, context, events, inbox);
    const secret = listenSecret(context.env);
    const options = { url, secret, types, once, ...held, ...(start === undefined ? {} : { replay: start }) };
    try {
      await listen(connection.client, options, reportTo(context, url, secret), context.signal);
    } catch (error) {
      if (!(error instanceof NotForwarded)) throw error;
      const fix = "Start your program, then run this again: it goes on with this event.";
      throw new CliError(error.message, { exit: EXIT.unreachable, fix, cause: error });
    }
  },
});

/** Reports events: lines of JSON for programs, a line for each attempt for people. */
function reportTo({ terminal, output }: Context, url: string, secret: string): ListenReport {
  // A terminal that is gone is no reason to lose events.
  const say = (line: string) => void terminal.write(`${line}\n`).catch(() => undefined);
  return {
    ready({ id, cursor, resumed }) {
      if (output.json) {
        say(jsonLine({ object: "listening", url, secret, consumer_id: id, cursor, resumed }));
        return;
      }
      say(`Posting events to ${terminal.style("bold", url)}, signed with the secret`);
      say(`\n  ${secret}\n`);
      say(resumed ? "It goes on where it ended the last time. Ctrl-C stops it." : "Ctrl-C stops it.");
    },
    attempted(attempt) {
      say(output.json ? jsonLine(recordOf(attempt)) : lineOf(attempt, terminal.style));
    },
  };
}

const recordOf = ({ event, ...posted }: Attempt) => ({
  object: "forwarded_event",
  event_id: event.id,
  type: event.type,
  sequence: event.sequence,
  ...posted,
});

const TYPE_CHARS = 24;

function lineOf(attempt: Attempt, style: Context["terminal"]["style"]): string {
  const { event, status, error, duration_ms, retry_in_ms } = attempt;
  const answer = status === null ? (error ?? "") : `${status}  ${duration_ms} ms`;
  const shown = isTaken(attempt) ? style("green", answer) : style("red", answer);
  const again = retry_in_ms === null ? "" : style("dim", `  again in ${retry_in_ms / 1000} s`);
  const time = new Date().toTimeString().slice(0, 8);
  const about = style("dim", oneLine(subjectOf(event)));
  return `${style("dim", time)}  ${event.type.padEnd(TYPE_CHARS)}  ${shown}${again}  ${about}`;
}

import type { Client, Message } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { written } from "../../ui/shown.ts";
import { Note } from "../../ui/small.tsx";
import { number, words } from "../../words/index.ts";

const text = words.mail.hidden;

/** A text in a mail's HTML that isn't seen in its design. */
interface Hidden {
  /** How it is hidden, in the service's words. */
  how: string;
  text: string;
}

/** More than any mail has. */
const ALL_CHARS = 25_000_000;
const SHOWN_CHARS = 5_000;
/** Shorter remarks and tooltips are names of parts, or the tools' own. */
const SENTENCE_WORDS = 8;

/** What screening says of hidden text and hidden characters. */
const SIGNALS = new Set(["hidden_text", "hidden_instructions", "zero_width", "bidi_override"]);

/** What turns the direction of the words after it, against their own. */
const TURNS = /[\u202D\u202E]/;

const wordsIn = (part: string): number => part.split(/\s+/u).filter(Boolean).length;

/** Texts that the design hides, and remarks that are more than a name. */
const isTold = ({ how, text: said }: Hidden): boolean =>
  how.startsWith("text ") || said.split("\n\n").some((part) => wordsIn(part) >= SENTENCE_WORDS);

/** Reads what a person doesn't see of a mail from its marked form, each part of which is named by a line with a mark that no mail has. */
async function hiddenIn(client: Client, { inbox_id, id: message_id }: Message): Promise<Hidden[]> {
  const { hidden_blocks } = await client.messages.marked({ inbox_id, message_id, max_chars: 1 });
  if (hidden_blocks === 0) return [];
  const marked = await client.messages.marked({ inbox_id, message_id, max_chars: ALL_CHARS, hidden: true });
  const [, mark = ""] = /^\[(\S+) begin:/m.exec(marked.text) ?? [];
  return marked.text.split(`\n[${mark} `).flatMap((part) => {
    const [, how, said] = /^hidden from people: ([^\n]*)\]\n([^]*)$/.exec(part) ?? [];
    return how === undefined || said === undefined ? [] : [{ how, text: said }];
  });
}

/** Says that a mail has text which its design doesn't show, and by a press what it says. */
export function HiddenText({ message }: { message: Message }) {
  const [shows, setShows] = useState(false);
  const found = useAnswer(
    ["messages", message.inbox_id, "hidden", message.id],
    (client) => hiddenIn(client, message),
    message.html !== null,
  );
  const signals = message.safety?.signals.filter(({ type }) => SIGNALS.has(type)) ?? [];
  const hidden = found.data ?? [];
  const isHidden = hidden.some(isTold);
  const isTurned =
    TURNS.test(`${message.subject}${message.text}${message.extracted_text}`) &&
    signals.every(({ type }) => type !== "bidi_override");
  if (!isHidden && !isTurned && signals.length === 0) return null;
  return (
    <Note tone={signals.length > 0 ? "problem" : "approval"}>
      <div class="grid justify-items-start gap-1">
        {isHidden && (
          <p class="font-semibold">
            {text.title} {text.count(number(hidden.reduce((sum, { text: said }) => sum + wordsIn(said), 0)))}
          </p>
        )}
        {isTurned && <p class="font-semibold">{text.turned}</p>}
        {signals.map(({ type, detail }) => (
          <p key={type + detail}>{written(detail)}</p>
        ))}
        {isHidden && (
          <Button kind="plain" small class="-ms-3" aria-expanded={shows} onClick={() => setShows(!shows)}>
            {shows ? text.less : text.more}
          </Button>
        )}
        {shows && (
          <dl class="grid gap-3 text-ink">
            {hidden.map(({ how, text: said }) => (
              <div key={how} class="grid gap-1">
                <dt class="text-soft first-letter:uppercase">{how}</dt>
                <dd class="max-h-60 overflow-auto whitespace-pre-wrap" tabIndex={0}>
                  {written(said.slice(0, SHOWN_CHARS))}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Note>
  );
}

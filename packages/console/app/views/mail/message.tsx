import type { Client, Message as WholeMessage } from "@letterslot/client";
import { ChevronDown, ChevronUp } from "lucide-preact";
import { useState } from "preact/hooks";
import { useSetting } from "../../api/address.ts";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { breakable } from "../../ui/address.tsx";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Initial, Sheet } from "../../ui/layout.tsx";
import { shown, written } from "../../ui/shown.ts";
import { Note, TabButtons, When } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import { Attachments } from "./attachments.tsx";
import { HeldMail } from "./held-mail.tsx";
import { HiddenText } from "./hidden-text.tsx";
import { HtmlFrame } from "./html-frame.tsx";
import { Raw } from "./raw.tsx";
import { Timeline } from "./timeline.tsx";
import { trustIn } from "./trust.ts";

const text = words.mail;

type Listed = Awaited<ReturnType<Client["threads"]["get"]>>["messages"][number];

/** A message of a thread: folded to a line, or open with its text, its files and what became of it. */
export function Message({
  message,
  open: opensFirst,
  alone,
}: {
  message: Listed;
  open: boolean;
  /** It is the only one of its thread, which is deleted as a whole. */
  alone: boolean;
}) {
  // Whoever gets the link to a part of it sees that part.
  const [way, setWay] = useSetting<Way>(message.id, "text", isWay);
  const [open, setOpen] = useState(opensFirst || way !== "text");
  const { from, from_name, direction, created_at, preview, labels } = message;
  const held = labels.includes("held");
  const trust = trustIn(message);
  return (
    <Sheet flush>
      <article aria-label={text.messageFrom(shown(from_name ?? from))}>
        <button
          type="button"
          class="flex w-full items-center gap-3 px-4 py-3 text-left focus-visible:-outline-offset-3"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Initial name={from_name ?? from} />
          <span class="grid min-w-0 grow">
            <span class="flex items-baseline justify-between gap-3">
              <span class={`min-w-0 font-semibold ${open ? "" : "truncate"}`}>
                <bdi>{shown(from_name ?? from)}</bdi>
                {from_name !== null && (
                  <bdi class={`text-sm font-normal text-soft ${open ? "block" : "ml-2"}`}>
                    {breakable(from)}
                  </bdi>
                )}
              </span>
              {!open && (
                <span class="shrink-0 text-xs text-soft">
                  <When at={created_at} />
                </span>
              )}
            </span>
            {open && (
              <span class="text-xs text-soft">
                <When at={created_at} form="long" />
              </span>
            )}
            {!open && (
              <span class="truncate text-sm text-soft">{held ? text.held.line : written(preview ?? "")}</span>
            )}
            {open && (
              <span class="flex flex-wrap gap-1.5 pt-1">
                {trust && <Chip tone={trust.tone}>{trust.text}</Chip>}
                {direction === "outbound" && <Chip tone="question">{text.statuses[message.status]}</Chip>}
                {held && <Chip tone="problem">{text.held.chip}</Chip>}
              </span>
            )}
          </span>
          {open ? (
            <ChevronUp size={18} class="shrink-0" aria-hidden="true" />
          ) : (
            <ChevronDown size={18} class="shrink-0" aria-hidden="true" />
          )}
        </button>
        {open && <Opened message={message} held={held} alone={alone} way={way} onWay={setWay} />}
      </article>
    </Sheet>
  );
}

const WAYS = ["text", "html", "why", "raw"] as const;
type Way = (typeof WAYS)[number];
const isWay = (value: string): value is Way => WAYS.some((each) => each === value);

function Opened({
  message: { inbox_id, id, to, cc },
  held,
  alone,
  way,
  onWay,
}: {
  message: Listed;
  held: boolean;
  alone: boolean;
  way: Way;
  onWay: (way: Way) => void;
}) {
  const { caller } = useCaller();
  const whole = useAnswer(["messages", inbox_id, "one", id], (client) =>
    client.messages.get({ inbox_id, message_id: id }),
  );
  // A mail without a design has none to show, whatever the link says.
  const shows = way === "html" && whole.data?.html === null ? "text" : way;
  return (
    <div class="grid gap-4 border-t border-line px-4 py-4">
      <p class="text-sm text-soft">
        {text.to} {shown([...to, ...cc].join(", ")) || words.none}
      </p>
      <Answer of={whole} rows={2}>
        {(message) => (
          <>
            {held ? (
              <>
                <HeldMail message={message} />
                <details>
                  <summary class="flex min-h-11 items-center text-sm font-semibold">{text.ways.why}</summary>
                  <Timeline inbox_id={inbox_id} message_id={id} />
                </details>
              </>
            ) : (
              <>
                <TabButtons
                  label={text.ways.label}
                  tabs={WAYS.filter((each) => each !== "html" || message.html !== null).map((value) => ({
                    value,
                    name: text.ways[value],
                  }))}
                  value={shows}
                  onValue={(value) => onWay(value as Way)}
                />
                {(shows === "text" || shows === "html") && <HiddenText message={message} />}
                {shows === "text" && <Text message={message} />}
                {shows === "html" && <HtmlFrame message={message} />}
                {shows === "why" && <Timeline inbox_id={inbox_id} message_id={id} />}
                {shows === "raw" && <Raw inbox_id={inbox_id} message_id={id} />}
                <Attachments message={message} />
              </>
            )}
            {!alone && may(caller, "message_delete") && <Delete message={message} />}
          </>
        )}
      </Answer>
    </div>
  );
}

/** The new text; what was quoted beneath it, and who signed it, comes by a press. */
function Text({ message }: { message: WholeMessage }) {
  const [all, setAll] = useState(false);
  const { extracted_text, text: whole_text, delivery_events } = message;
  const part = all ? whole_text : extracted_text;
  return (
    <>
      <div class="leading-relaxed whitespace-pre-wrap">
        {part ? written(part) : <span class="text-soft">{words.noText}</span>}
      </div>
      {whole_text !== null && whole_text.trim() !== (extracted_text ?? "").trim() && (
        <div>
          <Button kind="plain" small class="-ms-3" onClick={() => setAll(!all)}>
            {all ? text.lessText : text.wholeText}
          </Button>
        </div>
      )}
      {delivery_events.some(({ type }) => type === "failed" || type === "bounced") && (
        <Note tone="problem">
          {delivery_events
            .filter(({ type }) => type === "failed" || type === "bounced")
            .map(({ recipient, detail }) => shown(`${recipient} ${detail}`))
            .join(" · ")}
        </Note>
      )}
    </>
  );
}

function Delete({ message: { inbox_id, id, subject } }: { message: WholeMessage }) {
  const remove = useAct(
    (client) => client.messages.delete({ inbox_id, message_id: id }),
    ["threads", "messages"],
  );
  const restore = useAct(
    (client) => client.messages.restore({ inbox_id, message_id: id }),
    ["threads", "messages"],
  );
  return (
    <div>
      <Button
        kind="plain"
        small
        class="-ms-3"
        busy={remove.isPending}
        onClick={() =>
          void remove
            .mutateAsync(undefined)
            .then(() =>
              say(text.messageInTrash(subject || words.noSubject), () => restore.mutateAsync(undefined)),
            )
            .catch(say)
        }
      >
        {text.deleteMessage}
      </Button>
    </div>
  );
}

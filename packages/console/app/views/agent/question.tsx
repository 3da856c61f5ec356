import type { Update } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useCaller } from "../../api/caller-context.ts";
import { useAct } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/form.tsx";
import { When } from "../../ui/small.tsx";
import { Problem } from "../../ui/states.tsx";
import { number, words } from "../../words/index.ts";
import { askedIn, isAsked } from "./asked.ts";

const text = words.agent.conversation;

type Asked = NonNullable<Update["question"]>;
type Value = string | number | boolean;

/** A question with its answer, or with what answers it for those who were asked. */
export function Question({ update, question }: { update: Update; question: Asked }) {
  const { caller } = useCaller();
  const { answer } = update;
  if (answer !== null) return <Answered update={update} answer={answer} />;
  if (question.expires_at !== null && new Date(question.expires_at) <= new Date())
    return <p class="text-sm text-soft">{text.closed}</p>;
  const asked = isAsked(caller, update);
  return (
    <div class="grid gap-2 border-t border-line pt-2">
      {asked ? (
        <Answering update={update} question={question} />
      ) : (
        <p class="text-sm text-soft">{text.asks(askedIn(update))}</p>
      )}
      {question.expires_at !== null && (
        <p class="text-xs text-soft">
          {text.until} <When at={question.expires_at} form="relative" />
        </p>
      )}
    </div>
  );
}

function Answered({ update, answer }: { update: Update; answer: NonNullable<Update["answer"]> }) {
  const who = update.deliveries.find(({ owner_id }) => owner_id === answer.owner_id)?.email;
  return (
    <div class="grid gap-0.5 border-t border-line pt-2">
      <p class="font-semibold text-done">{valueWord(answer.value) ?? answer.raw_text}</p>
      <p class="text-xs text-soft">
        {answer.method === "default" ? text.byDefault : who !== undefined && text.answered(who)}
        {update.answered_at !== null && (
          <>
            {" "}
            <When at={update.answered_at} />
          </>
        )}
      </p>
    </div>
  );
}

const valueWord = (value: Value | null): string | null =>
  typeof value === "boolean"
    ? value
      ? text.yes
      : text.no
    : typeof value === "number"
      ? number(value)
      : value;

function Answering({ update, question }: { update: Update; question: Asked }) {
  const act = useAct(
    (client, value: Value) => client.questions.answerInSession({ update_id: update.id, value }),
    ["updates", "tasks"],
  );
  return (
    <>
      <Choices question={question} busy={act.isPending} onAnswer={(value) => act.mutate(value)} />
      {act.error && <Problem error={act.error} />}
    </>
  );
}

function Choices({
  question,
  busy,
  onAnswer,
}: {
  question: Asked;
  busy: boolean;
  onAnswer: (value: Value) => void;
}) {
  const [said, setSaid] = useState("");
  if (question.type === "yes_no" || question.type === "choice") {
    const options: [Value, string][] =
      question.type === "yes_no"
        ? [
            [true, text.yes],
            [false, text.no],
          ]
        : (question.options ?? []).map((option) => [option, option]);
    return (
      <div class="flex flex-wrap gap-2" role="group" aria-label={text.choices} tabIndex={-1} data-answer>
        {options.map(([value, name]) => (
          <Button
            key={name}
            busy={busy}
            class="h-auto! py-2 text-start whitespace-normal!"
            onClick={() => onAnswer(value)}
          >
            {name}
          </Button>
        ))}
      </div>
    );
  }
  const field = { value: said, onValue: setSaid };
  return (
    <form
      class="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (said.trim() !== "") onAnswer(question.type === "number" ? Number(said) : said);
      }}
    >
      {question.type === "text" ? (
        <TextArea label={text.text} rows={2} {...field} />
      ) : question.type === "number" ? (
        <TextField label={text.number} type="number" step="any" {...field} />
      ) : (
        <TextField label={text.date} type="date" {...field} />
      )}
      <div>
        <Button type="submit" kind="primary" busy={busy} disabled={said.trim() === ""}>
          {text.answer}
        </Button>
      </div>
    </form>
  );
}

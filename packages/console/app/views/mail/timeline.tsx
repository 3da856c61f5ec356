import { useAnswer } from "../../api/queries.ts";
import { shown } from "../../ui/shown.ts";
import { When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { asSentence, words } from "../../words/index.ts";

const text = words.mail.timeline;

/** What became of a mail and why, step by step. */
export function Timeline({ inbox_id, message_id }: { inbox_id: string; message_id: string }) {
  const explanation = useAnswer(["messages", inbox_id, "explain", message_id], (client) =>
    client.messages.explain({ inbox_id, message_id }),
  );
  return (
    <Answer of={explanation}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={text.empty} />
        ) : (
          <ol class="grid gap-4 border-l-2 border-line pl-4">
            {data.map(({ step, outcome, details, created_at, subject_id }) => (
              <li key={`${step} ${created_at} ${subject_id ?? outcome}`} class="relative">
                <span
                  class="absolute top-2 -left-[1.3rem] size-2.5 rounded-full bg-accent"
                  aria-hidden="true"
                />
                <p class="flex flex-wrap items-baseline gap-x-2">
                  <span class="font-semibold">{text.steps[step]}</span>
                  <span>{outcome.replaceAll("_", " ")}</span>
                  <span class="text-xs text-soft">
                    <When at={created_at} />
                  </span>
                </p>
                {details.map((detail) => (
                  <p key={detail} class="text-sm text-soft">
                    {shown(step === "task" ? asSentence(detail) : detail)}
                  </p>
                ))}
              </li>
            ))}
          </ol>
        )
      }
    </Answer>
  );
}

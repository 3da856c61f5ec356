import type { Expectation, Inbox } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { Row, Rows } from "../../ui/layout.tsx";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

const text = words.agent.expectations;

const TONES: Record<Expectation["status"], Tone> = {
  waiting: "question",
  met: "done",
  expired: "problem",
  cancelled: "progress",
};

/** Mail that the agent waits for. */
export function Expectations({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const inbox_id = inbox.id;
  const found = usePages(["expectations", inbox_id], (client, cursor) =>
    client.expectations.list({ inbox_id, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const cancel = useAct(
    (client, expectation_id: string) => client.expectations.cancel({ inbox_id, expectation_id }),
    ["expectations"],
  );
  return (
    <Answer of={found}>
      {() =>
        found.items.length === 0 ? (
          <Empty title={text.empty.title}>{text.empty.text}</Empty>
        ) : (
          <>
            <Rows label={words.agent.tabs.expectations}>
              {found.items.map((each) => (
                <Row
                  key={each.id}
                  title={whatOf(each)}
                  detail={
                    <>
                      {text.at(each.address)}
                      {each.near_misses.length > 0 && ` · ${text.near(each.near_misses.length)}`}
                    </>
                  }
                  meta={
                    <span class="flex items-center gap-2">
                      <Chip tone={TONES[each.status]}>{text.statuses[each.status]}</Chip>
                      {each.status === "waiting" ? (
                        <span>
                          {text.until} <When at={each.expires_at} />
                        </span>
                      ) : (
                        <When at={each.met_at ?? each.expires_at} />
                      )}
                    </span>
                  }
                  action={
                    each.status === "waiting" &&
                    may(caller, "message_update") && (
                      <ConfirmButton
                        label={text.cancel}
                        question={text.cancelNamed(whatOf(each))}
                        detail={text.cancelDetail}
                        act={() => cancel.mutateAsync(each.id)}
                      />
                    )
                  }
                />
              ))}
            </Rows>
            <MorePages of={found} />
          </>
        )
      }
    </Answer>
  );
}

function whatOf({ kind, from, from_domain, subject_contains }: Expectation): string {
  const who = from ?? (from_domain === null ? null : `@${from_domain}`);
  return [
    text.kinds[kind],
    who === null ? text.anybody : text.from(who),
    ...(subject_contains === null ? [] : [text.subject(subject_contains)]),
  ].join(" ");
}

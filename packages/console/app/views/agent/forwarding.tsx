import type { Inbox, Forwarding as Shown } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { TextField, Tick } from "../../ui/form.tsx";
import { Row, Rows, Section, Sheet } from "../../ui/layout.tsx";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty, Problem } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.agent.forwarding;

const TONES: Record<Shown["status"], Tone> = { pending: "approval", verified: "done", failed: "progress" };

/** Where mail of the inbox goes besides. */
export function Forwarding({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const inbox_id = inbox.id;
  const found = usePages(["forwarding", inbox_id], (client, cursor) =>
    client.forwarding.list({ inbox_id, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const end = useAct(
    (client, forwarding_id: string) => client.forwarding.delete({ inbox_id, forwarding_id }),
    ["forwarding", "rules"],
  );
  const writes = may(caller, "inbox_update");
  return (
    <>
      <Answer of={found}>
        {() =>
          found.items.length === 0 ? (
            <Empty title={text.empty.title}>{text.empty.text}</Empty>
          ) : (
            <>
              <Rows label={words.agent.tabs.forwarding}>
                {found.items.map((each) => (
                  <Row
                    key={each.id}
                    title={each.email}
                    detail={
                      each.failed_reason === null
                        ? each.everything
                          ? text.all
                          : text.chosen
                        : text.reasons[each.failed_reason]
                    }
                    meta={
                      <span class="flex items-center gap-2">
                        <Chip tone={TONES[each.status]}>{text.statuses[each.status]}</Chip>
                        <When at={each.verified_at ?? each.created_at} />
                      </span>
                    }
                    action={
                      <>
                        {each.status === "pending" && each.approval_id !== null && (
                          <ButtonLink small href={`#/approvals/${each.approval_id}`}>
                            {text.decides}
                          </ButtonLink>
                        )}
                        {writes && (
                          <ConfirmButton
                            label={text.end}
                            question={text.endNamed(each.email)}
                            detail={text.endDetail}
                            act={() => end.mutateAsync(each.id)}
                          />
                        )}
                      </>
                    }
                  />
                ))}
              </Rows>
              <MorePages of={found} />
            </>
          )
        }
      </Answer>
      {writes && may(caller, "message_send") && <Add inbox_id={inbox_id} />}
    </>
  );
}

function Add({ inbox_id }: { inbox_id: string }) {
  const [email, setEmail] = useState("");
  const [everything, setEverything] = useState(false);
  const add = useAct(
    (client, asked: { email: string; everything: boolean }) =>
      client.forwarding.create({ inbox_id, ...asked }),
    ["forwarding"],
  );
  return (
    <Section title={text.add}>
      <Sheet>
        <form
          class="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate(
              { email, everything },
              {
                onSuccess: () => {
                  say(text.asked(email));
                  setEmail("");
                },
              },
            );
          }}
        >
          <TextField
            label={text.email}
            hint={text.emailHint}
            type="email"
            autocomplete="email"
            required
            value={email}
            onValue={setEmail}
          />
          <Tick
            label={text.everything}
            hint={text.everythingHint}
            checked={everything}
            onValue={setEverything}
          />
          {add.error && <Problem error={add.error} />}
          <div>
            <Button type="submit" kind="primary" busy={add.isPending} disabled={email === ""}>
              {text.add}
            </Button>
          </div>
        </form>
      </Sheet>
    </Section>
  );
}

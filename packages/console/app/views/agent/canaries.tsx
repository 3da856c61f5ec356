import type { Inbox } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form.tsx";
import { Row, Rows, Section, Sheet } from "../../ui/layout.tsx";
import { Code, MorePages, Note, When } from "../../ui/small.tsx";
import { Answer, Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

const text = words.agent.settings;

/** Words that tell on whoever makes the agent pass them on. */
export function Canaries({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const inbox_id = inbox.id;
  const [name, setName] = useState("");
  const found = usePages(["canaries", inbox_id], (client, cursor) =>
    client.canaries.list({ inbox_id, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const make = useAct((client, name: string) => client.canaries.create({ inbox_id, name }), ["canaries"]);
  const remove = useAct(
    (client, canary_id: string) => client.canaries.delete({ inbox_id, canary_id }),
    ["canaries"],
  );
  // Once somebody has charge of the inbox, only they plant and take away.
  const plants = caller.kind === "person" && may(caller, "owner_manage");
  return (
    <Section title={text.canaries}>
      <p class="text-sm text-soft">{text.canariesLead}</p>
      <Answer of={found} rows={1}>
        {() =>
          found.items.length === 0 ? (
            <p class="text-sm text-soft">{text.noCanaries}</p>
          ) : (
            <Rows label={text.canaries}>
              {found.items.map((each) => (
                <Row
                  key={each.id}
                  title={each.name}
                  detail={
                    each.tripped_at !== null ? (
                      <>
                        {text.tripped} <When at={each.tripped_at} />
                      </>
                    ) : each.spent_at !== null ? (
                      text.spent
                    ) : (
                      text.quiet
                    )
                  }
                  meta={<When at={each.created_at} />}
                  action={
                    plants && (
                      <ConfirmButton
                        label={text.deleteCanary}
                        question={text.deleteCanaryNamed(each.name)}
                        act={() => remove.mutateAsync(each.id)}
                      />
                    )
                  }
                />
              ))}
            </Rows>
          )
        }
      </Answer>
      <MorePages of={found} />
      {make.data !== undefined && (
        <Note tone="approval">
          <div class="grid gap-2">
            <p>{text.word}</p>
            <Code text={make.data.canary} />
          </div>
        </Note>
      )}
      {plants && (
        <Sheet>
          <form
            class="grid gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              make.mutate(name, { onSuccess: () => setName("") });
            }}
          >
            <TextField label={text.canaryName} maxLength={80} value={name} onValue={setName} />
            {make.error && <Problem error={make.error} />}
            <div>
              <Button type="submit" busy={make.isPending} disabled={name.trim() === ""}>
                {text.plant}
              </Button>
            </div>
          </form>
        </Sheet>
      )}
    </Section>
  );
}

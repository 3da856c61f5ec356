import type { Inbox } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { Choices, TextField } from "../../ui/form.tsx";
import { Section, Sheet } from "../../ui/layout.tsx";
import { Note } from "../../ui/small.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { Budgets } from "./budgets.tsx";
import { Canaries } from "./canaries.tsx";
import { SendMode } from "./send-mode.tsx";
import { useChange } from "./use-change.ts";

const text = words.agent.settings;

const SCREENINGS = ["off", "observe", "hold"] as const;

/** What is settled about the inbox. */
export function Settings({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  return (
    <>
      {may(caller, "inbox_update") && <Changes inbox={inbox} />}
      {may(caller, "owner_read") && <Canaries inbox={inbox} />}
      {may(caller, "key_read") && <Budgets inbox={inbox} />}
    </>
  );
}

function Changes({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const { id: inbox_id, email, status, sending_paused_at } = inbox;
  const [display_name, setName] = useState(inbox.display_name ?? "");
  const change = useChange(inbox, caller.kind === "person");
  const pause = useChange(inbox, caller.kind === "person");
  const letSend = useAct((client) => client.canaries.resumeSending({ inbox_id }), ["inboxes"]);
  return (
    <>
      {sending_paused_at !== null && (
        <Note tone="problem">
          <div class="grid justify-items-start gap-3">
            <p>{text.stopped}</p>
            {caller.kind === "person" && (
              <Button busy={letSend.isPending} onClick={() => letSend.mutate(undefined)}>
                {text.letSend}
              </Button>
            )}
            {letSend.error && <Problem error={letSend.error} />}
          </div>
        </Note>
      )}
      <Sheet>
        <form
          class="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ display_name });
          }}
        >
          <TextField
            label={text.name}
            hint={text.nameHint}
            maxLength={200}
            value={display_name}
            onValue={setName}
          />
          <div>
            <Button
              type="submit"
              busy={change.isPending}
              disabled={display_name === (inbox.display_name ?? "")}
            >
              {text.save}
            </Button>
          </div>
        </form>
      </Sheet>
      {change.error && <Problem error={change.error} />}
      <SendMode inbox={inbox} />
      <Sheet>
        <Choices
          legend={text.screening}
          options={SCREENINGS.map((value) => ({ value, ...text.screenings[value] }))}
          value={(change.isPending ? change.variables.screening : undefined) ?? inbox.screening}
          onValue={(value) => change.mutate({ screening: value as Inbox["screening"] })}
        />
      </Sheet>
      <Section title={text.state}>
        <Sheet>
          <div class="flex flex-wrap items-center justify-between gap-3">
            <p>{status === "active" ? text.active : text.paused}</p>
            {status === "active" ? (
              <ConfirmButton
                label={text.pause}
                question={text.pauseNamed(email)}
                detail={text.pauseDetail}
                act={() => pause.mutateAsync({ status: "paused" })}
              />
            ) : (
              <Button busy={pause.isPending} onClick={() => pause.mutate({ status: "active" })}>
                {text.resume}
              </Button>
            )}
          </div>
          {pause.error && <Problem error={pause.error} />}
        </Sheet>
      </Section>
    </>
  );
}

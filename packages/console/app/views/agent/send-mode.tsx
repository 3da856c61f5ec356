import type { Inbox } from "@letterslot/client";
import { useState } from "preact/hooks";
import { hasWholeAccount } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choices } from "../../ui/form.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { Note } from "../../ui/small.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { isStricter, MODES, useChange } from "./use-change.ts";

const text = words.agent.settings;

type Mode = Inbox["send_mode"];
/** What may leave the inbox. Whoever has charge of the account is asked in the same step whether it holds for all. */
export function SendMode({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const { send_mode, effective_send_mode, approve_with } = inbox;
  const in_charge = caller.kind === "person" && hasWholeAccount(caller);
  const me = useAnswer(["me"], (client) => client.me.get({}), in_charge);
  const [asked, setAsked] = useState<Mode | null>(null);
  const change = useChange(inbox, caller.kind === "person");
  const floor = me.data?.send_mode_floor;
  const choose = (mode: Mode) => {
    // What a passkey is to allow is asked for by itself.
    const waits = approve_with === "passkey" && isStricter(send_mode, mode);
    if (in_charge && !waits && floor !== undefined && isStricter(mode, floor)) setAsked(mode);
    else change.mutate({ send_mode: mode });
  };
  return (
    <Sheet>
      <div class="grid gap-3">
        <Choices
          legend={text.sendMode}
          options={MODES.map((value) => ({ value, ...text.sendModes[value] }))}
          value={asked ?? (change.isPending ? change.variables.send_mode : undefined) ?? send_mode}
          onValue={(value) => choose(value as Mode)}
        />
        {effective_send_mode !== send_mode && (
          <Note>
            {text.floor} “{text.sendModes[effective_send_mode].name}”.
          </Note>
        )}
        {change.error && asked === null && <Problem error={change.error} />}
      </div>
      {asked !== null && (
        <ForAll
          mode={asked}
          change={change}
          onClose={() => {
            setAsked(null);
            if (change.isError) change.reset();
          }}
        />
      )}
    </Sheet>
  );
}

function ForAll({
  mode,
  change,
  onClose,
}: {
  mode: Mode;
  change: ReturnType<typeof useChange>;
  onClose: () => void;
}) {
  const save = (for_all: boolean) =>
    change.mutate({ send_mode: mode, ...(for_all ? { for_all } : {}) }, { onSuccess: onClose });
  const saves = (for_all: boolean) => change.isPending && (change.variables.for_all === true) === for_all;
  return (
    <Dialog
      title={text.forAll.question(text.sendModes[mode].name)}
      onClose={onClose}
      actions={
        <>
          <Button busy={saves(false)} disabled={change.isPending} onClick={() => save(false)}>
            {text.forAll.one}
          </Button>
          <Button kind="primary" busy={saves(true)} disabled={change.isPending} onClick={() => save(true)}>
            {text.forAll.all}
          </Button>
        </>
      }
    >
      <p class="text-soft">{text.forAll.text}</p>
      {change.error && <Problem error={change.error} />}
    </Dialog>
  );
}

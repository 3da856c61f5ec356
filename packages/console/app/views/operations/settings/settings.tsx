import type { Me } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { useAct, useAnswer } from "../../../api/queries.ts";
import { ActForm } from "../../../ui/act.tsx";
import { Choices, TextField, Tick } from "../../../ui/form.tsx";
import { Section, Sheet, View } from "../../../ui/layout.tsx";
import { Answer } from "../../../ui/states.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { Export } from "./export.tsx";

const text = words.accountOperations.settings;
const NOTE_CHARS = 280;

type Mode = keyof typeof text.modes;
type Style = keyof typeof text.styles;

/** What holds for the whole account, and how to take it along or end it. */
export function Settings({ export_id }: { export_id: string }) {
  const { caller } = useCaller();
  const me = useAnswer(["me"], (client) => client.me.get({}));
  const [title, lead] = words.operations.areas.settings;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Answer of={me}>
        {(found) => (
          <>
            <Section title={text.floor}>
              <Sheet>
                <Floor me={found} />
              </Sheet>
            </Section>
            {may(caller, "owner_manage") && (
              <Section title={text.style}>
                <Sheet>
                  <Letters me={found} />
                </Sheet>
              </Section>
            )}
            {found.access.permissions === null && (
              <>
                <Section title={text.export}>
                  <Sheet>
                    <Export export_id={export_id} />
                  </Sheet>
                </Section>
                <Section title={text.delete}>
                  <Sheet>
                    <DeleteAccount account_id={found.account_id} />
                  </Sheet>
                </Section>
              </>
            )}
          </>
        )}
      </Answer>
    </View>
  );
}

const choices = <T extends string>(options: Readonly<Record<T, readonly [string, string]>>) =>
  (Object.entries(options) as [T, readonly [string, string]][]).map(([value, [name, hint]]) => ({
    value,
    name,
    hint,
  }));

const useSave = () =>
  useAct(
    (client, change: Parameters<typeof client.me.update>[0]) => client.me.update(change),
    ["me", "inboxes"],
  );

function Floor({ me }: { me: Me }) {
  const [mode, setMode] = useState<Mode>(me.send_mode_floor);
  const save = useSave();
  const before = me.send_mode_floor;
  const act = async () => {
    await save.mutateAsync({ send_mode_floor: mode });
    say(text.saved, async () => {
      await save.mutateAsync({ send_mode_floor: before });
      setMode(before);
    });
  };
  return (
    <ActForm submit={text.save} act={act}>
      <p class="text-soft">{text.floorText}</p>
      <Choices
        legend={text.mode}
        options={choices(text.modes)}
        value={mode}
        onValue={(value) => setMode(value as Mode)}
      />
    </ActForm>
  );
}

function Letters({ me }: { me: Me }) {
  const { owner_email_style, lifecycle_emails } = me;
  const [style, setStyle] = useState<Style>(owner_email_style.style);
  const [note, setNote] = useState(owner_email_style.note ?? "");
  const [news, setNews] = useState(lifecycle_emails === "on");
  const save = useSave();
  const act = async () => {
    await save.mutateAsync({
      owner_email_style: style,
      owner_email_style_note: note.trim() === "" ? null : note.trim(),
      lifecycle_emails: news ? "on" : "off",
    });
    say(text.saved);
  };
  return (
    <ActForm submit={text.save} act={act}>
      <p class="text-soft">{text.styleText}</p>
      <Choices
        legend={text.styleName}
        options={choices(text.styles)}
        value={style}
        onValue={(value) => setStyle(value as Style)}
      />
      <TextField
        label={text.note}
        hint={text.noteHint}
        value={note}
        onValue={setNote}
        maxLength={NOTE_CHARS}
        autocomplete="off"
      />
      <Tick label={text.notes} hint={text.notesOn} checked={news} onValue={setNews} />
    </ActForm>
  );
}

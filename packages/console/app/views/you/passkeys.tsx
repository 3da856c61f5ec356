import { LIMITS } from "virtual:limits";
import type { Passkey } from "@letterslot/client";
import { Fingerprint } from "lucide-preact";
import { useState } from "preact/hooks";
import { type Caller, signOut } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { features } from "../../api/features.ts";
import { addPasskey, removePasskey } from "../../api/passkey.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { ActForm } from "../../ui/act.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form.tsx";
import { RoundIcon, Row, Rows, Section, Sheet, View } from "../../ui/layout.tsx";
import { Note, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.accountOperations.passkeys;
const NAME_CHARS = 80;

/** The person's passkeys: what they sign in and decide with. */
export function Passkeys() {
  const { caller, reenter } = useCaller();
  const passkeys = useAnswer(["passkeys"], (client) => client.passkeys.list({}));
  return (
    <View title={text.title} lead={text.lead} back={{ href: "/you", label: words.nav.you }}>
      {features.passkeys !== true && <Note>{text.unavailable}</Note>}
      {features.passkeys === true && isOld(caller) && (
        <Note tone="approval">
          <div class="grid justify-items-start gap-2">
            <p>{text.recent}</p>
            <Button small onClick={() => void signOut(caller).finally(reenter)}>
              {text.again}
            </Button>
          </div>
        </Note>
      )}
      <Answer of={passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <Sheet>
              <Empty title={text.empty.title}>{text.empty.text}</Empty>
            </Sheet>
          ) : (
            <Rows label={text.title}>
              {data.map((passkey) => (
                <One key={passkey.id} passkey={passkey} />
              ))}
            </Rows>
          )
        }
      </Answer>
      {features.passkeys === true && (
        <Section title={text.add}>
          <Sheet>
            <Add />
          </Sheet>
        </Section>
      )}
    </View>
  );
}

/** Passkeys are changed in a session of the last minutes only. */
const isOld = (caller: Caller): boolean =>
  caller.kind === "person" && Date.parse(caller.session.created_at) + LIMITS.recent_sign_in_ms < Date.now();

function Add() {
  const [name, setName] = useState("");
  const add = useAct((client, as: string) => addPasskey(client, as), ["passkeys"]);
  const act = async () => {
    await add.mutateAsync(name.trim() === "" ? text.unnamed : name.trim());
    setName("");
    say(text.added);
  };
  return (
    <ActForm submit={text.add} act={act}>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onValue={setName}
        maxLength={NAME_CHARS}
        autocomplete="off"
      />
    </ActForm>
  );
}

function One({ passkey }: { passkey: Passkey }) {
  const { name, synced, created_at, counts_from, last_used_at } = passkey;
  const remove = useAct((client) => removePasskey(client, passkey), ["passkeys"]);
  return (
    <Row
      icon={<RoundIcon icon={Fingerprint} />}
      title={name}
      detail={
        <>
          {text.created} <When at={created_at} />
          {synced && ` · ${text.synced}`}
          {" · "}
          {last_used_at === null ? (
            text.neverUsed
          ) : (
            <>
              {text.used} <When at={last_used_at} form="relative" />
            </>
          )}
          {Date.parse(counts_from) > Date.now() && (
            <>
              {" · "}
              {text.counts} <When at={counts_from} form="relative" />
            </>
          )}
        </>
      }
      action={
        <ConfirmButton
          label={text.remove}
          question={text.removeQuestion(name)}
          detail={text.removeDetail}
          act={() => remove.mutateAsync(undefined).then(() => say(text.removed))}
        />
      }
    />
  );
}

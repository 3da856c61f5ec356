import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer, usePages } from "../../api/queries.ts";
import { ActForm } from "../../ui/act.tsx";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/form.tsx";
import { Row, View } from "../../ui/layout.tsx";
import { Listing } from "../../ui/listing.tsx";
import { When } from "../../ui/small.tsx";
import { Problem } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import { useInboxes } from "./inbox-names.ts";

const text = words.mailOperations.phone;

/** The phone numbers, and a form that gets one more. */
export function PhoneNumbers() {
  const { caller } = useCaller();
  const { nameOf } = useInboxes();
  const mayWrite = may(caller, "phone_write");
  const numbers = usePages(["phone", "list"], (client, cursor) =>
    client.phoneNumbers.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const make = mayWrite && { label: text.add, form: (done: () => void) => <GetNumber done={done} /> };
  const [title, lead] = words.operations.areas.phone;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Listing title={title} of={numbers} empty={text.empty} make={make}>
        {({ id, e164, status, region, capabilities, inbox_id, created_at }) => (
          <Row
            key={id}
            title={e164}
            detail={
              <>
                {status === "released" && <Chip>{text.released}</Chip>} {nameOf(inbox_id)}
                {region !== null && ` · ${region}`} · {capabilities.map((each) => text.can[each]).join(", ")}
              </>
            }
            meta={<When at={created_at} />}
            action={mayWrite && status === "active" && <Release e164={e164} inbox_id={inbox_id} />}
          />
        )}
      </Listing>
    </View>
  );
}

function Release({ e164, inbox_id }: { e164: string; inbox_id: string }) {
  const release = useAct((client) => client.phoneNumbers.delete({ inbox_id }), ["phone"]);
  return (
    <ConfirmButton
      label={text.release}
      question={text.releaseQuestion(e164)}
      detail={text.releaseDetail}
      act={() => release.mutateAsync(undefined).then(() => say(text.gone(e164)))}
    />
  );
}

const AREA_CODE = /^\d{3}$/;

function GetNumber({ done }: { done: () => void }) {
  const { inboxes } = useInboxes();
  const [chosen, setChosen] = useState("");
  const [area, setArea] = useState("");
  const [wanted, setWanted] = useState("");
  const area_code = AREA_CODE.test(area) ? { area_code: area } : {};
  const available = useAnswer(["phone", "available", area_code.area_code], (client) =>
    client.phoneNumbers.listAvailable(area_code),
  );
  const create = useAct(
    (client, input: Parameters<typeof client.phoneNumbers.create>[0]) => client.phoneNumbers.create(input),
    ["phone"],
  );
  const get = async () => {
    const inbox_id = chosen === "" ? (inboxes[0]?.id ?? "") : chosen;
    const made = await create.mutateAsync({
      inbox_id,
      ...(wanted === "" ? area_code : { phone_number: wanted }),
    });
    if (made.object === "phone_number") say(text.got(made.e164));
    done();
  };
  return (
    <ActForm submit={text.add} act={get} onCancel={done}>
      <SelectField
        label={text.inbox}
        options={inboxes.map(({ id, email }) => [id, email] as const)}
        value={chosen === "" ? (inboxes[0]?.id ?? "") : chosen}
        onValue={setChosen}
      />
      <TextField
        label={text.area}
        hint={text.areaHint}
        value={area}
        onValue={setArea}
        inputMode="numeric"
        maxLength={3}
        pattern="[0-9]{3}"
        autocomplete="off"
      />
      {available.error !== null && <Problem error={available.error} />}
      <SelectField
        label={text.number}
        options={[
          ["", text.any],
          ...(available.data?.data ?? []).map(
            ({ phone_number, region }) =>
              [phone_number, region === null ? phone_number : `${phone_number} (${region})`] as const,
          ),
        ]}
        value={wanted}
        onValue={setWanted}
      />
    </ActForm>
  );
}

import type { Suppression } from "@letterslot/client";
import { useState } from "preact/hooks";
import { hasWholeAccount, may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { ActForm } from "../../ui/act.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/form.tsx";
import { Row, View } from "../../ui/layout.tsx";
import { Listing } from "../../ui/listing.tsx";
import { When } from "../../ui/small.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.mailOperations.suppressions;

/** The addresses that nothing is sent to, and why. */
export function Suppressions() {
  const { caller } = useCaller();
  const mayWrite = hasWholeAccount(caller) && may(caller, "suppression_write");
  const suppressions = usePages(["suppressions", "list"], (client, cursor) =>
    client.suppressions.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const make = mayWrite && {
    label: text.add,
    form: (done: () => void) => <Suppress done={done} />,
  };
  const [title, lead] = words.operations.areas.suppressions;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Listing title={title} of={suppressions} empty={text.empty} make={make}>
        {(suppression) => (
          <Row
            key={suppression.id}
            title={suppression.address}
            detail={text.reasons[suppression.reason]}
            meta={<When at={suppression.created_at} />}
            action={mayWrite && <Lift suppression={suppression} />}
          />
        )}
      </Listing>
    </View>
  );
}

function Suppress({ done }: { done: () => void }) {
  const [address, setAddress] = useState("");
  const create = useAct(
    (client, wanted: string) => client.suppressions.create({ address: wanted }),
    ["suppressions", "contacts"],
  );
  const lift = useAct(
    (client, id: string) => client.suppressions.delete({ address: id }),
    ["suppressions", "contacts"],
  );
  const add = async () => {
    const made = await create.mutateAsync(address.trim());
    if (made.object === "suppression") say(text.added(made.address), () => lift.mutateAsync(made.id));
    done();
  };
  return (
    <ActForm submit={text.add} act={add} onCancel={done}>
      <TextField
        label={text.address}
        hint={text.addressHint}
        value={address}
        onValue={setAddress}
        type="email"
        required
        autoFocus
        autocomplete="off"
      />
    </ActForm>
  );
}

function Lift({ suppression: { id, address } }: { suppression: Suppression }) {
  const lift = useAct((client) => client.suppressions.delete({ address: id }), ["suppressions", "contacts"]);
  return (
    <ConfirmButton
      label={text.lift}
      question={text.liftQuestion(address)}
      detail={text.liftDetail}
      act={() => lift.mutateAsync(undefined).then(() => say(text.lifted(address)))}
    />
  );
}

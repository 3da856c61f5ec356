import type { Domain } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { useAct, usePages } from "../../../api/queries.ts";
import { ActForm } from "../../../ui/act.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { TextField } from "../../../ui/form.tsx";
import { Row, View } from "../../../ui/layout.tsx";
import { Listing } from "../../../ui/listing.tsx";
import { When } from "../../../ui/small.tsx";
import { words } from "../../../words/index.ts";

const text = words.mailOperations.domains;
const TONES: Record<Domain["status"], Tone> = {
  pending: "approval",
  verifying: "progress",
  verified: "done",
  degraded: "problem",
  failed: "problem",
};

/** How far a domain is, in a word or two. */
export function DomainState({ status }: Pick<Domain, "status">) {
  return <Chip tone={TONES[status]}>{text.statuses[status]}</Chip>;
}

/** The account's own domains, and a form that adds one. */
export function Domains() {
  const { caller } = useCaller();
  const domains = usePages(["domains", "list"], (client, cursor) =>
    client.domains.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const make = may(caller, "domain_write") && {
    label: text.add,
    form: (done: () => void) => <AddDomain done={done} />,
  };
  const [title, lead] = words.operations.areas.domains;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Listing title={title} of={domains} empty={text.empty} make={make}>
        {({ id, domain, status, created_at }) => (
          <Row
            key={id}
            href={`/operations/domains/${id}`}
            title={domain}
            detail={<DomainState status={status} />}
            meta={<When at={created_at} />}
          />
        )}
      </Listing>
    </View>
  );
}

function AddDomain({ done }: { done: () => void }) {
  const [domain, setDomain] = useState("");
  const [, go] = useLocation();
  const create = useAct((client, name: string) => client.domains.create({ domain: name }), ["domains"]);
  const add = async () => {
    const { id } = await create.mutateAsync(domain.trim());
    go(`/operations/domains/${id}`);
  };
  return (
    <ActForm submit={text.add} act={add} onCancel={done}>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={domain}
        onValue={setDomain}
        required
        autoFocus
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
    </ActForm>
  );
}

import type { Contact } from "@letterslot/client";
import { useEffect, useState } from "preact/hooks";
import { useSetting } from "../../api/address.ts";
import { hasWholeAccount, may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { ActButton } from "../../ui/act.tsx";
import { Chip } from "../../ui/chip.tsx";
import { TextField } from "../../ui/form.tsx";
import { Facts, View } from "../../ui/layout.tsx";
import { Listing } from "../../ui/listing.tsx";
import { Opens } from "../../ui/opens.tsx";
import { shown } from "../../ui/shown.ts";
import { When } from "../../ui/small.tsx";
import { say } from "../../ui/toasts.tsx";
import { number, words } from "../../words/index.ts";

const text = words.mailOperations.contacts;
/** One who types isn't asked about at every letter. */
const TYPING_MS = 250;
const MOST_CHARS = 100;

/** Everybody whom mail came from or went to, and what is known of them. */
export function Contacts() {
  const [q, setQ] = useSetting<string>("search", "");
  const [typed, setTyped] = useState(q);
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => setQ(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, q, setQ]);
  const contacts = usePages(["contacts", q], (client, cursor) =>
    client.contacts.list({
      limit: 50,
      ...(q === "" ? {} : { q }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const [title, lead] = words.operations.areas.contacts;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <TextField
        label={text.search}
        type="search"
        value={typed}
        onValue={setTyped}
        maxLength={MOST_CHARS}
        autocomplete="off"
      />
      <Listing title={title} of={contacts} empty={q === "" ? text.empty : text.notFound}>
        {(contact) => <One key={contact.address} contact={contact} />}
      </Listing>
    </View>
  );
}

function One({ contact }: { contact: Contact }) {
  const { caller } = useCaller();
  const { address, names, last_in_at, last_out_at, own, known, suppressed, listed } = contact;
  const latest = [last_in_at, last_out_at]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  return (
    <Opens
      title={names[0] ?? address}
      meta={latest !== undefined && <When at={latest} />}
      detail={
        <>
          {names.length > 0 && <bdi>{shown(address)}</bdi>}
          <span>{text.mail(number(contact.in), number(contact.out))}</span>
          {own ? <Chip tone="done">{text.own}</Chip> : known && <Chip>{text.known}</Chip>}
          {suppressed && <Chip tone="problem">{text.suppressed}</Chip>}
          {listed.includes("receive:block") && <Chip tone="problem">{text.blocked}</Chip>}
        </>
      }
    >
      {() => (
        <>
          <About contact={contact} />
          {!own && hasWholeAccount(caller) && may(caller, "list_write") && <Verdict contact={contact} />}
        </>
      )}
    </Opens>
  );
}

function About({ contact }: { contact: Contact }) {
  const { names, first_seen_at, last_in_at, last_out_at, auth, known, listed, metadata } = contact;
  const notes = Object.entries(metadata);
  return (
    <Facts
      facts={[
        names.length > 1 && [text.facts.names, names.join(", ")],
        [text.facts.first, <When key="first" at={first_seen_at} form="long" />],
        [text.facts.in, last_in_at === null ? text.never : <When key="in" at={last_in_at} form="relative" />],
        [
          text.facts.out,
          last_out_at === null ? text.never : <When key="out" at={last_out_at} form="relative" />,
        ],
        contact.in > 0 && [text.facts.auth, text.auth(number(auth.pass), number(auth.fail))],
        [text.facts.known, known ? text.knownYes : text.knownNo],
        listed.length > 0 && [text.facts.lists, listed.map((each) => text.listNames[each]).join(", ")],
        notes.length > 0 && [text.facts.notes, notes.map(([name, value]) => `${name}: ${value}`).join(", ")],
      ]}
    />
  );
}

/** Whether their mail is taken, and whether they are written to. */
function Verdict({ contact: { address, listed } }: { contact: Contact }) {
  const change = useAct(
    async (client, { direction, on }: { direction: "receive" | "send"; on: boolean }) => {
      const entry = { direction, type: "block" as const, entry: address };
      await (on ? client.lists.create(entry) : client.lists.delete(entry));
    },
    ["contacts", "lists"],
  );
  const turn = async (direction: "receive" | "send", on: boolean) => {
    await change.mutateAsync({ direction, on });
    say(text.done, () => change.mutateAsync({ direction, on: !on }));
  };
  const blocksIn = listed.includes("receive:block");
  const blocksOut = listed.includes("send:block");
  return (
    <div class="flex flex-wrap gap-2">
      <ActButton act={() => turn("receive", !blocksIn)}>{blocksIn ? text.unblockIn : text.blockIn}</ActButton>
      <ActButton act={() => turn("send", !blocksOut)}>
        {blocksOut ? text.unblockOut : text.blockOut}
      </ActButton>
    </div>
  );
}

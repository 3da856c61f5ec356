import type { Authority } from "@letterslot/client";
import { UserRoundPlus } from "lucide-preact";
import { type Caller, hasWholeAccount } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { ActButton } from "../../ui/act.tsx";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { Initial, RoundIcon, Row, Rows, Section, Sheet, View } from "../../ui/layout.tsx";
import { Note, When } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import { useInboxes } from "./inbox-names.ts";

const text = words.accountOperations.people;

/** Who has charge of the account and its inboxes, and who asks for it. */
export function People() {
  const { caller } = useCaller();
  const account_id = caller.kind === "person" ? caller.account_id : null;
  const people = useAnswer(["authority", "list"], (client) => client.authority.list({}));
  const [title, lead] = words.operations.areas.people;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Answer of={people}>
        {({ data }) => {
          const here = data.filter((each) => each.account_id === account_id);
          const whole = here.filter(({ inbox_id }) => inbox_id === null);
          const single = here.filter(({ inbox_id }) => inbox_id !== null);
          return (
            <>
              {!hasWholeAccount(caller) && <NotInCharge account_id={account_id} />}
              {hasWholeAccount(caller) && (
                <Section title={text.whole} count={whole.length}>
                  <List people={whole} caller={caller} />
                </Section>
              )}
              {single.length > 0 && (
                <Section title={text.one} count={single.length}>
                  <List people={single} caller={caller} />
                </Section>
              )}
              {hasWholeAccount(caller) && <Requests />}
            </>
          );
        }}
      </Answer>
    </View>
  );
}

function List({ people, caller }: { people: readonly Authority[]; caller: Caller }) {
  const { nameOf } = useInboxes();
  const own = caller.kind === "person" ? caller.session.email : "";
  return (
    <Rows>
      {people.map((person) => {
        const { id, email, inbox_id, since, given_by, passkeys_off_at } = person;
        const by = given_by === "operator" ? text.operator : given_by;
        return (
          <Row
            key={id}
            icon={<Initial name={email} />}
            title={
              <>
                {email} {email === own && <Chip tone="done">{text.you}</Chip>}
              </>
            }
            detail={
              <>
                {inbox_id !== null && `${nameOf(inbox_id)} · `}
                {text.since} <When at={since} />
                {given_by !== email && `, ${text.by(by)}`}
                {passkeys_off_at !== null && ` · ${text.passkeysOffSince} `}
                {passkeys_off_at !== null && <When at={passkeys_off_at} />}
              </>
            }
            action={<Acts person={person} own={email === own} mayDistrust={hasWholeAccount(caller)} />}
          />
        );
      })}
    </Rows>
  );
}

function Acts({
  person: { id: authority_id, email, inbox_id },
  own,
  mayDistrust,
}: {
  person: Authority;
  own: boolean;
  mayDistrust: boolean;
}) {
  const { nameOf } = useInboxes();
  const what = inbox_id === null ? text.wholeAccount : nameOf(inbox_id);
  const end = useAct((client) => client.authority.delete({ authority_id }), ["authority", "caller"]);
  const distrust = useAct(
    (client) => client.authority.update({ authority_id, passkeys: "off" }),
    ["authority"],
  );
  return (
    <span class="grid gap-1 sm:flex">
      {mayDistrust && !own && (
        <ConfirmButton
          label={text.passkeysOff}
          question={text.passkeysOffQuestion(email)}
          detail={text.passkeysOffDetail}
          act={() => distrust.mutateAsync(undefined).then(() => say(text.passkeysOffDone))}
        />
      )}
      <ConfirmButton
        label={text.end}
        question={own ? text.endOwn(what) : text.endQuestion(email, what)}
        detail={text.endDetail}
        act={() => end.mutateAsync(undefined).then(() => say(text.ended(email)))}
      />
    </span>
  );
}

function Requests() {
  const approvals = useAnswer(["approvals", "requests"], (client) =>
    client.approvals.list({ status: "pending", limit: 100 }),
  );
  return (
    <Section title={text.requests}>
      <Answer of={approvals} rows={1}>
        {({ data }) => {
          const requests = data.filter(({ subject_type }) => subject_type === "authority_grant");
          if (requests.length === 0)
            return (
              <Sheet>
                <p class="text-soft">{text.noRequests}</p>
              </Sheet>
            );
          return (
            <Rows>
              {requests.map(({ id, summary, requested_at }) => (
                <Row
                  key={id}
                  href={`/approvals/${id}`}
                  icon={<RoundIcon icon={UserRoundPlus} tone="approval" />}
                  title={summary}
                  meta={<When at={requested_at} />}
                  strong
                />
              ))}
            </Rows>
          );
        }}
      </Answer>
    </Section>
  );
}

function NotInCharge({ account_id }: { account_id: string | null }) {
  const ask = useAct(
    (client, id: string) => client.authority.create({ account_id: id }),
    ["authority", "approvals", "caller"],
  );
  return (
    <>
      <Note>{text.others}</Note>
      {account_id !== null && (
        <div>
          <ActButton
            act={() =>
              ask
                .mutateAsync(account_id)
                .then((made) => say(made.object === "approval" ? text.asked : text.given))
            }
          >
            {text.ask}
          </ActButton>
        </div>
      )}
    </>
  );
}

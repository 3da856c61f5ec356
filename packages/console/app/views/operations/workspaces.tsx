import type { Workspace } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, usePages } from "../../api/queries.ts";
import { ActForm } from "../../ui/act.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { TextField, Tick } from "../../ui/form.tsx";
import { Facts, View } from "../../ui/layout.tsx";
import { Listing } from "../../ui/listing.tsx";
import { Opens } from "../../ui/opens.tsx";
import { When } from "../../ui/small.tsx";
import { say } from "../../ui/toasts.tsx";
import { number, words } from "../../words/index.ts";
import { ShownOnce } from "./shown-once.tsx";

const text = words.accountOperations.workspaces;
const FIRST_QUOTA = 10;

/** The accounts within the account, and a form that makes one. */
export function Workspaces() {
  const { caller } = useCaller();
  const [secret, setSecret] = useState<string | null>(null);
  const workspaces = usePages(["workspaces", "list"], (client, cursor) =>
    client.workspaces.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const mayWrite = may(caller, "workspace_write");
  const make = mayWrite && {
    label: text.add,
    form: (done: () => void) => <Make onMade={setSecret} done={done} />,
  };
  const [title, lead] = words.operations.areas.workspaces;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      {secret !== null && (
        <ShownOnce title={text.made} text={text.madeIs} secret={secret} onStored={() => setSecret(null)} />
      )}
      <Listing title={title} of={workspaces} empty={text.empty} make={make}>
        {(workspace) => (
          <Opens
            key={workspace.id}
            title={workspace.name}
            detail={text.used(number(workspace.inboxes_used), number(workspace.inbox_quota))}
            meta={<When at={workspace.created_at} />}
          >
            {() => <Details workspace={workspace} mayWrite={mayWrite} />}
          </Opens>
        )}
      </Listing>
    </View>
  );
}

function Make({ onMade, done }: { onMade: (secret: string) => void; done: () => void }) {
  const create = useAct(
    (client, input: { name: string; inbox_quota: number }) => client.workspaces.create(input),
    ["workspaces"],
  );
  const add = async (name: string, inbox_quota: number) => {
    const made = await create.mutateAsync({ name, inbox_quota });
    if (made.object === "workspace" && made.api_key !== undefined) onMade(made.api_key);
    done();
  };
  return <Form submit={text.add} name="" quota={FIRST_QUOTA} act={add} done={done} />;
}

function Form({
  submit,
  name: name_before,
  quota: quota_before,
  act,
  done,
}: {
  submit: string;
  name: string;
  quota: number;
  act: (name: string, quota: number) => Promise<unknown>;
  done: () => void;
}) {
  const [name, setName] = useState(name_before);
  const [quota, setQuota] = useState(String(quota_before));
  return (
    <ActForm submit={submit} act={() => act(name.trim(), Number(quota))} onCancel={done}>
      <TextField label={text.name} value={name} onValue={setName} required autoFocus autocomplete="off" />
      <TextField
        label={text.quota}
        value={quota}
        onValue={setQuota}
        type="number"
        inputMode="numeric"
        min={1}
        required
      />
    </ActForm>
  );
}

function Details({ workspace, mayWrite }: { workspace: Workspace; mayWrite: boolean }) {
  const { id: workspace_id, account_id, api_key_prefix, created_at, name, inbox_quota } = workspace;
  const [changing, setChanging] = useState(false);
  const inboxes = usePages(["inboxes", "workspace", workspace_id], (client, cursor) =>
    client.workspaces.inboxes({ workspace_id, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const update = useAct(
    (client, input: { name: string; inbox_quota: number }) =>
      client.workspaces.update({ workspace_id, ...input }),
    ["workspaces"],
  );
  const change = async (to: string, quota: number) => {
    await update.mutateAsync({ name: to, inbox_quota: quota });
    setChanging(false);
    say(text.changed, () => update.mutateAsync({ name, inbox_quota }));
  };
  if (changing)
    return (
      <Form
        submit={text.change}
        name={name}
        quota={inbox_quota}
        act={change}
        done={() => setChanging(false)}
      />
    );
  return (
    <>
      <Facts
        facts={[
          [
            text.facts.account,
            <span key="account" class="font-mono text-sm">
              {account_id}
            </span>,
          ],
          [
            text.facts.prefix,
            <span key="prefix" class="font-mono text-sm">
              {api_key_prefix}…
            </span>,
          ],
          [text.facts.created, <When key="created" at={created_at} form="long" />],
          [
            text.inboxes,
            inboxes.items.length === 0 ? text.noInboxes : inboxes.items.map(({ email }) => email).join(", "),
          ],
        ]}
      />
      {mayWrite && (
        <div class="flex flex-wrap gap-2">
          <Button small onClick={() => setChanging(true)}>
            {text.change}
          </Button>
          <Remove workspace={workspace} />
        </div>
      )}
    </>
  );
}

function Remove({ workspace: { id: workspace_id, name } }: { workspace: Workspace }) {
  const [inboxesToo, setInboxesToo] = useState(false);
  const remove = useAct(
    (client) => client.workspaces.delete({ workspace_id, delete_inboxes: inboxesToo }),
    ["workspaces"],
  );
  return (
    <ConfirmButton
      label={text.remove}
      question={text.removeQuestion(name)}
      detail={
        <>
          {text.removeDetail}
          <Tick label={text.removeInboxes} checked={inboxesToo} onValue={setInboxesToo} />
        </>
      }
      act={() => remove.mutateAsync(undefined).then(() => say(text.removed(name)))}
    />
  );
}

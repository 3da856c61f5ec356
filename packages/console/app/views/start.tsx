import type { Inbox, MessageSummary, NewPairing } from "@letterslot/client";
import { Check, Send } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { withSettings } from "../api/address.ts";
import { useCaller } from "../api/caller-context.ts";
import { features } from "../api/features.ts";
import { usePolling } from "../api/polling.ts";
import { useAct, useAnswer } from "../api/queries.ts";
import { ActButton } from "../ui/act.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Sheet, View } from "../ui/layout.tsx";
import { Code, Note, TabButtons } from "../ui/small.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { Answer, Problem } from "../ui/states.tsx";
import { reasonIn, words } from "../words/index.ts";

const text = words.start;

/** The first minutes: sign in, pair an agent, and watch its first mail arrive. */
export function Start() {
  const { caller, reenter } = useCaller();
  const [made, setMade] = useState<NewPairing | null>(null);
  const make = useAct((client) => client.pairings.create({}), ["pairings"]);
  const pairing = useAnswer(
    ["pairings", "start", made?.id],
    async (client) => (await client.pairings.list({})).data.find(({ id }) => id === made?.id) ?? null,
    made !== null,
  );
  const used = pairing.data?.status === "paired" ? pairing.data : null;
  const over = pairing.data?.status === "expired" || pairing.data?.status === "undone";
  usePolling(made !== null && used === null && !over, () => void pairing.refetch());
  const inbox_id = used?.inbox_id ?? null;
  const inbox = useAnswer(
    ["inboxes", inbox_id],
    (client) => client.inboxes.get({ inbox_id: inbox_id ?? "" }),
    inbox_id !== null,
  );
  const name = used?.client_name ?? inbox.data?.display_name ?? inbox.data?.email ?? text.anAgent;
  return (
    <View title={text.title} lead={text.lead}>
      <ol class="grid gap-4">
        <Step number={1} title={text.signedIn} done>
          {caller.kind === "person" && <p class="text-soft">{text.signedInText(caller.session.email)}</p>}
        </Step>
        <Step number={2} title={used === null ? text.pair : text.paired(name)} done={used !== null}>
          {used === null && (
            <>
              <p class="text-soft">{text.pairText}</p>
              {over && <Note tone="approval">{text.over}</Note>}
              {made === null || over ? (
                <div>
                  <Button
                    kind="primary"
                    busy={make.isPending}
                    onClick={() => make.mutate(undefined, { onSuccess: setMade })}
                  >
                    {text.make}
                  </Button>
                </div>
              ) : (
                <PasteIn made={made} />
              )}
              {make.error && <Problem error={make.error} />}
            </>
          )}
        </Step>
        <Step number={3} title={text.mail} done={false} pending={used === null}>
          {inbox.error && <Problem error={inbox.error} />}
          {inbox.data && <FirstMail inbox={inbox.data} onSeen={reenter} />}
        </Step>
      </ol>
    </View>
  );
}

function Step({
  number,
  title,
  done,
  pending = false,
  children,
}: {
  number: number;
  title: string;
  done: boolean;
  pending?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <li>
      <Sheet>
        <div class={`grid grid-cols-[auto_1fr] gap-x-4 gap-y-3 ${pending ? "opacity-60" : ""}`}>
          <span
            class={`grid size-9 shrink-0 place-items-center rounded-full font-semibold ${done ? "bg-done-ground text-done" : "bg-accent text-on-accent"}`}
          >
            {done ? <Check size={20} aria-hidden="true" /> : number}
          </span>
          <h2 class="self-center text-lg leading-7 font-semibold">{title}</h2>
          <div class="col-span-2 grid min-w-0 gap-3 empty:hidden sm:col-span-1 sm:col-start-2">
            {children}
          </div>
        </div>
      </Sheet>
    </li>
  );
}

const TOOLS = ["claude", "codex", "cursor", "shell"] as const;

function PasteIn({ made: { code, sentence, command, request } }: { made: NewPairing }) {
  const [tool, setTool] = useState<(typeof TOOLS)[number]>("claude");
  return (
    <>
      <p class="text-sm text-soft">{text.code}</p>
      <p class="font-mono text-3xl tracking-widest">{code}</p>
      <div class="grid gap-2">
        <TabButtons
          label={text.paste}
          tabs={TOOLS.map((value) => ({ value, name: text.tools[value] }))}
          value={tool}
          onValue={(value) => setTool(value as typeof tool)}
        />
        <Code text={tool === "shell" ? command : sentence} />
        {tool === "shell" && (
          <>
            <p class="text-sm text-soft">{text.withoutNpm}</p>
            <Code text={request} />
          </>
        )}
      </div>
      <p class="flex items-center gap-2 text-sm text-soft" role="status">
        <Spinner /> {text.waiting}
      </p>
    </>
  );
}

function FirstMail({ inbox: { id: inbox_id, email }, onSeen }: { inbox: Inbox; onSeen: () => void }) {
  const messages = useAnswer(["messages", inbox_id, "first"], (client) =>
    client.messages.list({ inbox_id, limit: 5, direction: "inbound" }),
  );
  const came = messages.data?.data.at(-1);
  usePolling(came === undefined, () => void messages.refetch());
  const { caller } = useCaller();
  const send = useAct(
    (client) =>
      client.ownerMessages.create({ inbox_id, text: text.firstText, client_id: `first-mail-${inbox_id}` }),
    ["messages", "tasks"],
  );
  if (came !== undefined)
    return (
      <div class="grid justify-items-start gap-3">
        <Became message={came} />
        <ButtonLink kind="primary" href="#/" onClick={onSeen}>
          {text.open}
        </ButtonLink>
        {features.outbox === true && (
          <p class="text-sm text-soft">
            {text.captured}{" "}
            <a href="#/outbox" class="underline">
              {text.outbox}
            </a>
            .
          </p>
        )}
      </div>
    );
  return (
    <>
      <p class="text-soft">{text.mailText(email)}</p>
      {features.outbox === true && caller.kind === "person" && (
        <>
          <p class="text-soft">
            {text.sendOneText} <q>{text.firstText}</q>
          </p>
          <div>
            <ActButton icon={Send} kind="primary" act={() => send.mutateAsync(undefined)}>
              {text.sendOne}
            </ActButton>
          </div>
        </>
      )}
      <p class="flex items-center gap-2 text-sm text-soft" role="status">
        <Spinner /> {text.watching}
      </p>
    </>
  );
}

/** Whether the mail became a task, and if it didn't, why. */
function Became({ message: { id: message_id, inbox_id, thread_id } }: { message: MessageSummary }) {
  const explanation = useAnswer(["messages", inbox_id, "explain", message_id], (client) =>
    client.messages.explain({ inbox_id, message_id }),
  );
  return (
    <Answer of={explanation} rows={1}>
      {({ data }) => {
        const task = data.find(({ step }) => step === "task");
        if (task?.outcome === "made") return <p>{text.arrived}</p>;
        return (
          <>
            <p>{text.noTask(reasonIn(task?.details[0] ?? ""))}</p>
            <a
              href={`#${withSettings(`/inboxes/${inbox_id}/threads/${thread_id}`, { [message_id]: "why" })}`}
            >
              {text.whatHappened}
            </a>
          </>
        );
      }}
    </Answer>
  );
}

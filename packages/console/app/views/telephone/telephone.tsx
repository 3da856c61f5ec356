import { MessageSquareText, Phone, PhoneCall as PhoneCallIcon, PhoneOff } from "lucide-preact";
import { useState } from "preact/hooks";
import {
  type PhoneAct,
  type PhoneCall,
  type PhoneText,
  type Telephone,
  telephone,
} from "../../api/machine.ts";
import { usePolling } from "../../api/polling.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { ActButton, ActForm } from "../../ui/act.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../ui/form.tsx";
import { RoundIcon, Rows, Section, Sheet, View } from "../../ui/layout.tsx";
import { When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";

const text = words.telephone;

const TEXT_CHARS = 1_600;
const SPOKEN_CHARS = 1_000;

/** A person's telephone, for a server without a telephone provider. */
export function PersonsTelephone() {
  const [mine, setMine] = useState<string | null>(null);
  const found = useAnswer(["telephone", mine], () => telephone.get(mine));
  usePolling(!found.isFetching, () => void found.refetch());
  return (
    <View title={text.title} lead={text.lead}>
      <Answer of={found}>
        {(phone) => (
          <>
            {phone.happened
              .filter(isCall)
              .map(
                (call) =>
                  isOn(call) &&
                  partnerOf(call) === phone.me && <Current key={call.id} call={call} phone={phone} />,
              )}
            {phone.numbers.length === 0 ? (
              <Sheet>
                <Empty
                  title={text.noNumber.title}
                  action={<ButtonLink href="#/operations/phone">{text.noNumber.link}</ButtonLink>}
                >
                  {text.noNumber.text}
                </Empty>
              </Sheet>
            ) : (
              <Reach phone={phone} />
            )}
            <Section title={text.happened}>
              {phone.happened.length === 0 ? (
                <p class="text-soft">{text.nothing}</p>
              ) : (
                <Rows label={text.happened}>
                  {phone.happened.map((one) => (
                    <Happened key={one.id} one={one} phone={phone} />
                  ))}
                </Rows>
              )}
            </Section>
            <OwnNumber me={phone.me} onNumber={setMine} />
          </>
        )}
      </Answer>
    </View>
  );
}

const usePhone = ({ me }: Telephone) =>
  useAct((_client, input: PhoneAct) => telephone.act(me, input), ["telephone", "messages", "threads"]);

const isCall = (one: PhoneText | PhoneCall): one is PhoneCall => "heard" in one;

const isOn = ({ status }: PhoneCall): boolean => /^(?:queued|ringing|in-progress)$/.test(status);

const agentOf = ({ placed_by, from, to }: PhoneCall): string => (placed_by === "service" ? from : to);

const partnerOf = ({ placed_by, from, to }: PhoneCall): string => (placed_by === "service" ? to : from);

function nameIn({ me, numbers }: Telephone, e164: string): string {
  if (e164 === me) return text.you;
  const agent = numbers.find((each) => each.e164 === e164)?.agent;
  return agent === undefined ? e164 : `${agent} (${e164})`;
}

/** The call that the person is on, or that rings. */
function Current({ call, phone }: { call: PhoneCall; phone: Telephone }) {
  const { mutateAsync: press } = usePhone(phone);
  const agent = nameIn(phone, agentOf(call));
  const waits = call.recording_seconds !== null && call.said === null;
  return (
    <Sheet>
      <div role="group" aria-label={text.callWith(agent)} class="grid gap-4">
        <div class="flex items-center gap-3" role="status">
          <RoundIcon icon={PhoneCallIcon} tone="question" />
          <p class="font-semibold">{call.status === "in-progress" ? text.on(agent) : text.calls(agent)}</p>
        </div>
        {call.status === "ringing" && (
          <div class="flex flex-wrap gap-2">
            <ActButton kind="primary" icon={Phone} act={() => press({ act: "answer", call: call.id })}>
              {text.answer}
            </ActButton>
            <ActButton act={() => press({ act: "decline", call: call.id })}>{text.decline}</ActButton>
          </div>
        )}
        {call.status === "in-progress" && (
          <>
            <p class="leading-relaxed whitespace-pre-line">
              <span class="text-soft">{text.hear}</span> <q>{call.heard}</q>
            </p>
            {waits && <Speak say={(said) => press({ act: "speak", call: call.id, text: said })} />}
            <ActButton icon={PhoneOff} act={() => press({ act: "hang_up", call: call.id })}>
              {text.hangUp}
            </ActButton>
          </>
        )}
      </div>
    </Sheet>
  );
}

function Speak({ say }: { say: (said: string) => Promise<unknown> }) {
  const [said, setSaid] = useState("");
  return (
    <ActForm submit={text.speak} act={() => say(said)}>
      <TextArea
        label={text.afterTheBeep}
        value={said}
        onValue={setSaid}
        maxLength={SPOKEN_CHARS}
        rows={3}
        required
      />
    </ActForm>
  );
}

/** Text or call one of the agents that have a number. */
function Reach({ phone }: { phone: Telephone }) {
  const { mutateAsync: press } = usePhone(phone);
  const [chosen, setChosen] = useState("");
  const [written, setWritten] = useState("");
  const to = chosen === "" ? (phone.numbers[0]?.e164 ?? "") : chosen;
  const send = async () => {
    await press({ act: "text", to, text: written });
    setWritten("");
  };
  return (
    <Section
      title={text.reach}
      action={
        <ActButton icon={Phone} act={() => press({ act: "call", to })}>
          {text.call}
        </ActButton>
      }
    >
      <Sheet>
        <ActForm submit={text.send} act={send}>
          <SelectField
            label={text.to}
            options={phone.numbers.map(({ e164, agent }) => [e164, `${agent} (${e164})`] as const)}
            value={to}
            onValue={setChosen}
          />
          <TextArea
            label={text.text}
            value={written}
            onValue={setWritten}
            maxLength={TEXT_CHARS}
            rows={3}
            required
          />
        </ActForm>
      </Sheet>
    </Section>
  );
}

function Happened({ one, phone }: { one: PhoneText | PhoneCall; phone: Telephone }) {
  const call = isCall(one) ? one : null;
  const lasted = call?.duration_seconds ?? null;
  return (
    <li class="flex min-w-0 gap-3 px-4 py-3">
      <RoundIcon icon={call === null ? MessageSquareText : Phone} />
      <div class="grid min-w-0 grow gap-0.5">
        <p class="flex items-baseline justify-between gap-3">
          <span class="min-w-0 font-medium">{text.ends(nameIn(phone, one.from), nameIn(phone, one.to))}</span>
          <span class="shrink-0 text-xs text-soft">
            <When at={one.at} />
          </span>
        </p>
        {"text" in one && <p class="whitespace-pre-line">{one.text}</p>}
        {call !== null && call.answered_at !== null && (
          <p>
            <span class="text-soft">{text.heard}</span> <q>{call.heard}</q>
          </p>
        )}
        {call !== null && call.said !== null && (
          <p>
            <span class="text-soft">{text.recorded}</span> <q>{call.said}</q>
          </p>
        )}
        <p class="text-sm text-soft">
          {text.statuses[one.status]}
          {lasted !== null && ` · ${text.lasted(lasted)}`}
          {call !== null && call.detail !== "" && ` · ${call.detail}`}
        </p>
      </div>
    </li>
  );
}

function OwnNumber({ me, onNumber }: { me: string; onNumber: (e164: string) => void }) {
  const [typed, setTyped] = useState(me);
  return (
    <Section title={text.own}>
      <Sheet>
        <form
          class="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            onNumber(typed);
          }}
        >
          <TextField
            label={text.from}
            hint={text.fromHint}
            type="tel"
            value={typed}
            onValue={setTyped}
            pattern="\+1[2-9][0-9]{9}"
            required
          />
          <div>
            <Button type="submit">{text.use}</Button>
          </div>
        </form>
      </Sheet>
    </Section>
  );
}

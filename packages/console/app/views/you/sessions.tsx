import { browserName } from "virtual:names";
import { MonitorSmartphone } from "lucide-preact";
import { useAct, useAnswer } from "../../api/queries.ts";
import { Chip } from "../../ui/chip.tsx";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { RoundIcon, Row, Rows, View } from "../../ui/layout.tsx";
import { When } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.accountOperations.sessions;

/** Where the person is signed in. */
export function Sessions() {
  const sessions = useAnswer(["sessions"], (client) => client.sessions.list({}));
  const end = useAct((client, session_id: string) => client.sessions.endOther({ session_id }), ["sessions"]);
  return (
    <View title={text.title} lead={text.lead} back={{ href: "/you", label: words.nav.you }}>
      <Answer of={sessions}>
        {({ data }) => (
          <Rows label={text.title}>
            {data.map(({ id, user_agent, current, created_at, last_seen_at }) => (
              <Row
                key={id}
                icon={<RoundIcon icon={MonitorSmartphone} />}
                title={
                  <>
                    {capitalised(browserName(user_agent))}{" "}
                    {current && <Chip tone="done">{text.current}</Chip>}
                  </>
                }
                detail={
                  <>
                    {text.seen} <When at={last_seen_at} form="relative" /> · {text.since}{" "}
                    <When at={created_at} />
                  </>
                }
                action={
                  !current && (
                    <ConfirmButton
                      label={text.end}
                      question={text.endQuestion(browserName(user_agent))}
                      detail={
                        <>
                          {text.endDetail} {text.seen} <When at={last_seen_at} form="relative" />.
                        </>
                      }
                      act={() => end.mutateAsync(id).then(() => say(text.ended))}
                    />
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Answer>
    </View>
  );
}

const capitalised = (said: string): string => said.charAt(0).toUpperCase() + said.slice(1);

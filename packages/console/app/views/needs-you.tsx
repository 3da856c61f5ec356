import type { Overview } from "@letterslot/client";
import { Ban, CircleHelp, Globe, MailWarning, MailX, ShieldAlert, Stamp, Webhook } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, Redirect } from "wouter-preact";
import { useCaller } from "../api/caller-context.ts";
import type { useAnswer } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { Initial, RoundIcon, Row, Rows, Section, View } from "../ui/layout.tsx";
import { askToNotify, notificationState } from "../ui/notify.ts";
import { When } from "../ui/small.tsx";
import { Answer, Empty } from "../ui/states.tsx";
import { words } from "../words/index.ts";
import { waitingIn } from "./waiting.ts";

const text = words.needs;

/** What waits for a person, and what their agents did today. */
export function NeedsYou({ overview }: { overview: ReturnType<typeof useAnswer<Overview>> }) {
  const { caller } = useCaller();
  if (caller.kind === "person" && overview.data?.agents.length === 0) return <Redirect to="/start" replace />;
  return (
    <View title={text.title}>
      <Answer of={overview}>
        {(found) => (
          <>
            {waitingIn(found) === 0 && <Empty title={text.calm.title}>{text.calm.text}</Empty>}
            <Waiting found={found} />
            <Agents agents={found.agents} />
          </>
        )}
      </Answer>
    </View>
  );
}

function Waiting({ found }: { found: Overview }) {
  const { approvals, questions, held, failed, webhooks, domains, refusals } = found;
  return (
    <>
      {approvals.length > 0 && (
        <Section
          title={text.approvals}
          count={approvals.length}
          action={<Link href="/approvals">{text.all}</Link>}
        >
          <Rows>
            {approvals.map(({ id, summary, reasons, requested_at }) => (
              <Row
                key={id}
                href={`/approvals/${id}`}
                icon={<RoundIcon icon={Stamp} tone="approval" />}
                title={summary}
                detail={reasons.map(({ sentence }) => sentence).join(" ")}
                meta={<When at={requested_at} />}
                strong
              />
            ))}
          </Rows>
          <NotifyMe />
        </Section>
      )}
      {questions.length > 0 && (
        <Section title={text.questions} count={questions.length}>
          <Rows>
            {questions.map(({ inbox_id, inbox_email, update }) => (
              <Row
                key={update.id}
                href={`/inboxes/${inbox_id}/agent`}
                icon={<RoundIcon icon={CircleHelp} tone="question" />}
                title={update.title ?? update.text}
                detail={inbox_email}
                meta={<When at={update.created_at} />}
                strong
              />
            ))}
          </Rows>
        </Section>
      )}
      {held.length > 0 && (
        <Section title={text.held} count={held.length}>
          <Rows>
            {held.map(({ id, inbox_id, thread_id, subject, from, from_name, created_at }) => (
              <Row
                key={id}
                href={`/inboxes/${inbox_id}/threads/${thread_id}`}
                icon={<RoundIcon icon={ShieldAlert} tone="problem" />}
                title={subject || words.noSubject}
                detail={`${from_name ?? from} · ${text.heldWhy}`}
                meta={<When at={created_at} />}
              />
            ))}
          </Rows>
        </Section>
      )}
      {failed.length > 0 && (
        <Section title={text.failed} count={failed.length}>
          <Rows>
            {failed.map(({ id, inbox_id, thread_id, subject, to, created_at }) => (
              <Row
                key={id}
                href={`/inboxes/${inbox_id}/threads/${thread_id}`}
                icon={<RoundIcon icon={MailX} tone="problem" />}
                title={subject || words.noSubject}
                detail={to.join(", ")}
                meta={<When at={created_at} />}
              />
            ))}
          </Rows>
        </Section>
      )}
      {webhooks.length + domains.length > 0 && (
        <Section title={text.broken} count={webhooks.length + domains.length}>
          <Rows>
            {webhooks.map(({ id, url }) => (
              <Row
                key={id}
                href={`/operations/webhooks/${id}`}
                icon={<RoundIcon icon={Webhook} tone="problem" />}
                title={url}
                detail={text.webhook}
              />
            ))}
            {domains.map(({ id, domain }) => (
              <Row
                key={id}
                href={`/operations/domains/${id}`}
                icon={<RoundIcon icon={Globe} tone="problem" />}
                title={domain}
                detail={text.domain}
              />
            ))}
          </Rows>
        </Section>
      )}
      {refusals.length > 0 && (
        <Section title={text.refusals} count={refusals.length}>
          <Rows>
            {refusals.map(({ key_id, client_id, name, operation, code, count, last_at }) => (
              <Row
                key={`${key_id ?? client_id} ${operation} ${code}`}
                href="/operations/refusals"
                icon={<RoundIcon icon={Ban} tone="problem" />}
                title={name ?? key_id ?? client_id}
                detail={text.refused(count, operation, code)}
                meta={<When at={last_at} />}
              />
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

/** Offered once there was an approval, as the browser asks only once. */
function NotifyMe() {
  const [state, setState] = useState(notificationState);
  if (state !== "default") return null;
  return (
    <div>
      <Button
        kind="plain"
        small
        class="-ms-3"
        icon={MailWarning}
        onClick={() => void askToNotify().then(setState)}
      >
        {text.notify}
      </Button>
    </div>
  );
}

function Agents({ agents }: { agents: Overview["agents"] }) {
  return (
    <Section title={text.agents}>
      <Rows>
        {agents.map(({ inbox_id, email, display_name, received, sent, tasks_open, tasks_done, last_at }) => {
          const did = [
            [received, text.received],
            [sent, text.sent],
            [tasks_open, text.open],
            [tasks_done, text.done],
          ] as const;
          const said = did.flatMap(([count, say]) => (count === null || count === 0 ? [] : say(count)));
          return (
            <Row
              key={inbox_id}
              href={`/inboxes/${inbox_id}`}
              icon={<Initial name={display_name ?? email} />}
              title={display_name ?? email}
              detail={said.length === 0 ? text.quiet : said.join(" · ")}
              meta={last_at !== null && <When at={last_at} />}
            />
          );
        })}
      </Rows>
    </Section>
  );
}

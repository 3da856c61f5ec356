import type { Overview } from "@letterslot/client";
import { Ban, CircleHelp, Globe, MailWarning, MailX, ShieldAlert, Stamp, Webhook } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, Redirect } from "wouter-preact";
import { withSettings } from "../api/address.ts";
import { may } from "../api/caller.ts";
import { useCaller } from "../api/caller-context.ts";
import type { useAnswer } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { Initial, RoundIcon, Row, Rows, Section, View } from "../ui/layout.tsx";
import { askToNotify, notificationState } from "../ui/notify.ts";
import { When } from "../ui/small.tsx";
import { Answer, Empty } from "../ui/states.tsx";
import { words } from "../words/index.ts";
import { askedIn, isAsked } from "./agent/asked.ts";
import { addressOfAll, waitingIn } from "./waiting.ts";

const text = words.needs;
const FAILURES = ["message.failed", "message.bounced"] as const;

/** What waits for a person, and what their agents did today. */
export function NeedsYou({ overview }: { overview: ReturnType<typeof useAnswer<Overview>> }) {
  const { caller } = useCaller();
  if (caller.kind === "person" && overview.data?.agents.length === 0) return <Redirect to="/start" replace />;
  return (
    <View title={text.title}>
      <Answer of={overview}>
        {(found) => (
          <>
            {waitingIn(found, caller) === null && <Empty title={text.calm.title}>{text.calm.text}</Empty>}
            <Waiting found={found} />
            <Agents of={found} />
            <p class="hidden text-xs text-soft lg:block">{text.keys}</p>
          </>
        )}
      </Answer>
    </View>
  );
}

function Waiting({ found }: { found: Overview }) {
  const { caller } = useCaller();
  const { approvals, questions, held, failed, webhooks, domains, refusals, more } = found;
  const asked = questions.filter(({ update }) => isAsked(caller, update));
  const others = questions.filter(({ update }) => !isAsked(caller, update));
  return (
    <>
      {approvals.length > 0 && (
        <Section
          title={text.approvals}
          count={approvals.length}
          more={more.approvals}
          action={<All href="/approvals" />}
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
      {asked.length > 0 && (
        <Section
          title={text.questions}
          count={asked.length}
          more={more.questions}
          action={more.questions && <All href={addressOfAll("questions", found)} />}
        >
          <Rows>
            {asked.map((question) => (
              <QuestionRow key={question.update.id} of={question} detail={question.inbox_email} strong />
            ))}
          </Rows>
        </Section>
      )}
      {held.length > 0 && (
        <Section
          title={text.held}
          count={held.length}
          more={more.held}
          action={more.held && <All href={addressOfAll("held", found)} />}
        >
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
        <Section
          title={text.failed}
          count={failed.length}
          more={more.failed}
          action={
            more.failed &&
            may(caller, "event_read") && (
              <span class="flex flex-wrap justify-end gap-x-4">
                {FAILURES.map((kind) => (
                  <All key={kind} href={withSettings("/operations/events", { kind, since: "week" })}>
                    {text.allFailed[kind]}
                  </All>
                ))}
              </span>
            )
          }
        >
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
        <Section
          title={text.broken}
          count={webhooks.length + domains.length}
          more={more.webhooks || more.domains}
          action={
            <span class="flex flex-wrap justify-end gap-x-4">
              {more.webhooks && <All href="/operations/webhooks">{text.allWebhooks}</All>}
              {more.domains && <All href="/operations/domains">{text.allDomains}</All>}
            </span>
          }
        >
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
        <Section
          title={text.refusals}
          count={refusals.length}
          more={more.refusals}
          action={more.refusals && <All href="/operations/refusals" />}
        >
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
      {others.length > 0 && (
        <Section
          title={text.othersQuestions}
          count={others.length}
          more={more.questions}
          action={more.questions && <All href={addressOfAll("questions", found)} />}
        >
          <Rows>
            {others.map((question) => (
              <QuestionRow
                key={question.update.id}
                of={question}
                detail={text.asked(question.inbox_email, askedIn(question.update))}
              />
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

/** Leads to all of what a section shows the first of. */
const All = ({ href, children = text.all }: { href: string; children?: string }) => (
  <Link href={href} class="inline-flex min-h-9 items-center">
    {children}
  </Link>
);

function QuestionRow({
  of: { inbox_id, update },
  detail,
  strong = false,
}: {
  of: Overview["questions"][number];
  detail: string;
  strong?: boolean;
}) {
  return (
    <Row
      href={`/inboxes/${inbox_id}/agent/question/${update.id}`}
      icon={<RoundIcon icon={CircleHelp} tone="question" />}
      title={update.title ?? update.text}
      detail={detail}
      meta={<When at={update.created_at} />}
      strong={strong}
    />
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

function Agents({ of: { agents, more } }: { of: Overview }) {
  return (
    <Section title={text.agents} action={more.agents && <All href="/inboxes" />}>
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

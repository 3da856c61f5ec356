import type { ApprovalReview } from "@letterslot/client";
import { showHidden } from "@letterslot/core/mail";
import { Facts, Sheet } from "../../ui/layout.tsx";
import { Note, When } from "../../ui/small.tsx";
import { fileSize, words } from "../../words/index.ts";
import { MailSheet, Part, Written } from "./mail.tsx";

const text = words.approval;

/** What a person is asked about, whole: a mail, a held mail, a webhook, or another change in one sentence. */
export function Subject({ review }: { review: ApprovalReview }) {
  const { approval, mail, held, webhook } = review;
  if (mail !== null) return <MailSheet review={review} mail={mail} />;
  return (
    <Sheet>
      <div class="grid gap-4">
        <p class="text-lg leading-snug font-semibold">{showHidden(approval.summary)}</p>
        {approval.subject_type === "draft" && <p class="text-soft">{text.mail.gone}</p>}
        {webhook !== null && <WebhookFacts webhook={webhook} />}
        {held !== null && <HeldMail held={held} />}
        {approval.subject_type === "message_release" && held === null && (
          <p class="text-soft">{text.held.forAuthority}</p>
        )}
      </div>
    </Sheet>
  );
}

function WebhookFacts({ webhook }: { webhook: NonNullable<ApprovalReview["webhook"]> }) {
  const { url, host, headers, inboxes, is_new } = webhook;
  const of = text.webhook;
  return (
    <>
      <p>{is_new ? of.isNew : of.replaces}</p>
      <Facts
        facts={[
          [of.host, <strong key="host">{showHidden(host)}</strong>],
          [of.url, <code key="url">{showHidden(url)}</code>],
          [of.headers, headers.length === 0 ? words.none : showHidden(headers.join(", "))],
          [of.inboxes, inboxes.length === 0 ? of.all : showHidden(inboxes.join(", "))],
        ]}
      />
    </>
  );
}

const Files = ({ held }: { held: NonNullable<ApprovalReview["held"]> }) => (
  <ul>
    {held.attachments.map(({ filename, content_type, size_bytes }) => (
      <li key={filename}>
        {showHidden(filename)} ({content_type}, {fileSize(size_bytes)})
      </li>
    ))}
  </ul>
);

function HeldMail({ held }: { held: NonNullable<ApprovalReview["held"]> }) {
  const of = text.held;
  const from = held.from_name === null ? held.from : `${held.from_name} <${held.from}>`;
  return (
    <>
      {held.reason !== null && (
        <Part title={text.whatAgentSays}>
          <Written label={text.whatAgentSays}>{held.reason}</Written>
        </Part>
      )}
      <Part title={of.why}>
        {held.signals.length === 0 ? (
          <p>{of.nothing}</p>
        ) : (
          <ul class="grid list-disc gap-1 pl-5">
            {held.signals.map((signal) => (
              <li key={signal}>{showHidden(signal)}</li>
            ))}
          </ul>
        )}
      </Part>
      <Part title={of.email}>
        <Facts
          facts={[
            [text.mail.from, <strong key="from">{showHidden(from)}</strong>],
            [text.mail.to, showHidden(held.to.join(", "))],
            [text.parts.subject, showHidden(held.subject) || words.noSubject],
            [of.came, <When key="came" at={held.created_at} form="long" />],
            held.attachments.length > 0 && [text.mail.attachments, <Files key="files" held={held} />],
          ]}
        />
        {held.truncated && <Note tone="problem">{text.mail.truncated}</Note>}
      </Part>
      {held.html_text !== null && (
        <Part title={of.seen}>
          <Written label={of.seen}>{held.html_text}</Written>
        </Part>
      )}
      {held.text !== null && held.text !== held.html_text && (
        <Part title={of.text}>
          <Written label={of.text}>{held.text}</Written>
        </Part>
      )}
    </>
  );
}

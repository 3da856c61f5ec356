import type { ApprovalReview } from "@letterslot/client";
import { showHidden } from "@letterslot/core/mail";
import { Paperclip } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useSetting } from "../../api/address.ts";
import { client } from "../../api/caller.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Facts, Sheet } from "../../ui/layout.tsx";
import { MailFrame, VIEW_FRESH_MS } from "../../ui/mail-frame.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { Note, TabButtons, When } from "../../ui/small.tsx";
import { Answer, Problem } from "../../ui/states.tsx";
import { fileSize, words } from "../../words/index.ts";
import { isWords, type Mail } from "./shapes.ts";

const text = words.approval.mail;

/** Words as they are, with what is invisible in them made visible. */
export function Written({ children, label }: { children: string; label?: string }) {
  return (
    <div
      class="max-h-[60vh] overflow-auto whitespace-pre-wrap"
      // Keys scroll what is longer than the screen.
      tabIndex={0}
      role="region"
      aria-label={label ?? words.approval.parts.text}
    >
      {showHidden(children)}
    </div>
  );
}

/** A heading within a sheet. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="grid gap-2 border-t border-line pt-4">
      <h2 class="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Everything that would be sent. */
export function MailSheet({ review, mail }: { review: ApprovalReview; mail: Mail }) {
  return (
    <Sheet>
      <div class="grid gap-4">
        {isWords(mail) ? <Spoken mail={mail} /> : <Letter review={review} mail={mail} />}
      </div>
    </Sheet>
  );
}

function Spoken({ mail }: { mail: Mail }) {
  return (
    <>
      <Facts
        facts={[
          [text.to, <strong key="to">{mail.to.join(", ")}</strong>],
          mail.from !== "" && [text.from, mail.from],
        ]}
      />
      <Part title={mail.kind === "sms" ? words.approval.parts.text : text.says}>
        <Written>{mail.text ?? ""}</Written>
        {mail.call_mode === "say_and_record" && <p class="text-sm text-soft">{text.recorded}</p>}
      </Part>
    </>
  );
}

function Letter({ review, mail }: { review: ApprovalReview; mail: Mail }) {
  const line = (values: readonly string[]) => showHidden(values.join(", "));
  const { html_changes } = review.approval;
  return (
    <>
      <h2 class="text-lg leading-snug font-semibold">{showHidden(mail.subject) || words.noSubject}</h2>
      <Facts
        facts={[
          [text.to, <strong key="to">{line(mail.to)}</strong>],
          mail.cc.length > 0 && [text.cc, line(mail.cc)],
          mail.bcc.length > 0 && [text.bcc, line(mail.bcc)],
          [text.from, showHidden(mail.from)],
          mail.reply_to !== null && [text.replyTo, showHidden(mail.reply_to)],
          mail.owner_copies.length > 0 && [
            mail.owner_copy === "bcc" ? text.hiddenCopies : text.copies,
            line(mail.owner_copies),
          ],
          ...Object.entries(mail.headers).map(([name, value]) => [name, showHidden(value)] as const),
          mail.send_at !== null && [text.sendAt, <When key="at" at={mail.send_at} form="long" />],
        ]}
      />
      {mail.truncated && <Note tone="problem">{text.truncated}</Note>}
      <div class="grid gap-3 border-t border-line pt-4">
        {mail.html === null ? (
          <Written>{mail.text ?? ""}</Written>
        ) : (
          <Designed review={review} mail={mail} html={mail.html} />
        )}
      </div>
      {html_changes.length > 0 && (
        <p class="text-sm text-soft">
          {text.cleaned(html_changes.map((change) => words.approval.cleanings[change]).join(", "))}
        </p>
      )}
      {mail.attachments.length > 0 && <Attachments review={review} mail={mail} />}
    </>
  );
}

const WAYS = ["design", "text", "source"] as const;
type Way = (typeof WAYS)[number];
const isWay = (value: string): value is Way => WAYS.some((each) => each === value);

/** Mail with HTML, in each of its forms. Those who don't decide read it as text. */
function Designed({ review, mail, html }: { review: ApprovalReview; mail: Mail; html: string }) {
  const shows = review.decides && mail.html_renders;
  const [way, setWay] = useSetting("show", shows ? "design" : "text", (value): value is Way =>
    value !== "design" ? isWay(value) : shows,
  );
  const ways = WAYS.filter((each) => each !== "design" || shows);
  return (
    <>
      <TabButtons
        label={text.ways.label}
        tabs={ways.map((value) => ({ value, name: text.ways[value] }))}
        value={way}
        onValue={(value) => setWay(value as Way)}
      />
      {way === "design" && <Design review={review} mail={mail} />}
      {way === "text" && (
        <>
          <Written label={text.ways.text}>{mail.html_text ?? ""}</Written>
          {mail.text !== null && mail.text !== mail.html_text && (
            <Part title={text.plain}>
              <Written label={text.plain}>{mail.text}</Written>
            </Part>
          )}
        </>
      )}
      {way === "source" && (
        <div class="rounded-lg bg-paper p-3 font-mono text-sm">
          <Written label={text.ways.source}>{html}</Written>
        </div>
      )}
    </>
  );
}

/** The mail exactly as it would leave: what was read, or nothing. */
function Design({ review: { approval }, mail }: { review: ApprovalReview; mail: Mail }) {
  const { id: approval_id, digest } = approval;
  const view = useAnswer(
    ["view", approval_id, digest],
    (api) => api.approvals.view({ approval_id, digest }),
    true,
    VIEW_FRESH_MS,
  );
  return (
    <Answer of={view} rows={3}>
      {({ url }) => <MailFrame url={url} title={text.design(showHidden(mail.subject) || words.noSubject)} />}
    </Answer>
  );
}

function Attachments({ review: { approval }, mail }: { review: ApprovalReview; mail: Mail }) {
  const download = useAct(async (_client, { id, filename, content_type }: Mail["attachments"][number]) => {
    const { inbox_id, subject_id: draft_id } = approval;
    const { bytes } = await client.drafts.attachment({ inbox_id, draft_id, attachment_id: id });
    saveFile(bytes, filename, content_type);
  }, []);
  return (
    <Part title={text.attachments}>
      <ul class="grid gap-2">
        {mail.attachments.map((attachment) => (
          <li key={attachment.id} class="flex min-w-0 items-center justify-between gap-3">
            <span class="flex min-w-0 items-center gap-2">
              <Paperclip size={18} class="shrink-0 text-soft" aria-hidden="true" />
              <span class="min-w-0">
                {showHidden(attachment.filename)}{" "}
                <span class="text-sm text-soft">
                  {attachment.content_type}, {fileSize(attachment.size_bytes)}
                </span>
              </span>
            </span>
            <Button
              small
              aria-label={text.download(attachment.filename)}
              busy={download.isPending && download.variables.id === attachment.id}
              onClick={() => download.mutate(attachment)}
            >
              {words.download}
            </Button>
          </li>
        ))}
      </ul>
      {download.error && <Problem error={download.error} />}
    </Part>
  );
}

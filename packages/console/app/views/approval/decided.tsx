import type { Approval, ApprovalReview } from "@letterslot/client";
import { Download } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { useAct, useAnswer } from "../../api/queries.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { Facts, Sheet } from "../../ui/layout.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { shown } from "../../ui/shown.ts";
import { Note, When } from "../../ui/small.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { statusWord } from "./shapes.ts";

const text = words.approval;

const TONES: Record<Approval["status"], Tone> = {
  pending: "approval",
  approved: "done",
  rejected: "problem",
  expired: "progress",
  cancelled: "progress",
};

export const StatusChip = ({ approval }: { approval: Approval }) => (
  <Chip tone={TONES[approval.status]}>{statusWord(approval)}</Chip>
);

/** Who decided what, when and how. */
export function Outcome({ approval }: { approval: Approval }) {
  const { decided_by, decided_at, requested_at, comment } = approval;
  // Whoever decided at the mail's end sees what came of it.
  useEffect(() => scrollTo(0, 0), []);
  return (
    <Sheet>
      <div class="grid gap-4">
        <div>
          <StatusChip approval={approval} />
        </div>
        <Facts
          facts={[
            decided_by !== null && [text.by, decided_by.email],
            decided_by !== null && [text.how, text.methods[decided_by.method]],
            decided_at !== null && [text.when, <When key="when" at={decided_at} form="long" />],
            comment !== null && [text.said, <q key="said">{shown(comment)}</q>],
            [text.asked, <When key="asked" at={requested_at} form="long" />],
          ]}
        />
        <Receipt approval={approval} />
      </div>
    </Sheet>
  );
}

function Receipt({ approval }: { approval: Approval }) {
  const { id, status, imported, decided_by, subject_type } = approval;
  const download = useAct(async (client) => {
    const receipt = await client.approvals.receipt({ approval_id: id });
    const bytes = new TextEncoder().encode(`${JSON.stringify(receipt, null, 2)}\n`);
    saveFile(bytes, `receipt-${id}.json`, "application/json");
  }, []);
  if (imported || (status !== "approved" && status !== "rejected")) return null;
  const leaves = status === "approved" && subject_type === "draft";
  return (
    <div class="grid justify-items-start gap-3 border-t border-line pt-4">
      <p class="text-sm text-soft">
        {decided_by?.method === "passkey" ? text.receiptSigned : text.receiptWord}
        {leaves && ` ${text.receiptSent}`}
      </p>
      <Button icon={Download} busy={download.isPending} onClick={() => download.mutate(undefined)}>
        {text.receipt}
      </Button>
      {download.error && <Problem error={download.error} />}
    </div>
  );
}

/** Leads to what else waits for a person once something is decided, or says that nothing does. */
export function Next({ after }: { after: Approval }) {
  const pending = useAnswer(["approvals", "list", "pending", "next"], (client) =>
    client.approvals.list({ status: "pending", limit: 20 }),
  );
  const link = useRef<HTMLDivElement>(null);
  const next = pending.data?.data.find(({ id }) => id !== after.id);
  const anew = pending.data?.data.find(
    ({ id, subject_id }) =>
      after.status === "cancelled" && id !== after.id && subject_id === after.subject_id,
  );
  const next_id = (anew ?? next)?.id;
  useEffect(() => {
    if (next_id === undefined) return;
    // After the heading, which the change of the title gives the focus.
    const timer = setTimeout(() => link.current?.querySelector("a")?.focus());
    return () => clearTimeout(timer);
  }, [next_id]);
  if (pending.data === undefined) return null;
  if (anew !== undefined)
    return (
      <div ref={link} class="grid gap-2">
        <Note tone="approval">{text.askedAnew}</Note>
        <div>
          <ButtonLink kind="primary" href={`#/approvals/${anew.id}`}>
            {text.openAnew}
          </ButtonLink>
        </div>
      </div>
    );
  if (next === undefined)
    return (
      <Sheet>
        <Empty title={text.nothingLeft.title} action={<ButtonLink href="#/">{text.home}</ButtonLink>}>
          {text.nothingLeft.text}
        </Empty>
      </Sheet>
    );
  return (
    <div ref={link}>
      <Sheet>
        <div class="flex flex-wrap items-center justify-between gap-3">
          <p class="min-w-0">{shown(next.summary)}</p>
          <ButtonLink kind="primary" href={`#/approvals/${next.id}`}>
            {text.next}
          </ButtonLink>
        </div>
      </Sheet>
    </div>
  );
}

/** An approval as a key sees it: no key decides. */
export function SeenByKey({ approval }: { approval: ApprovalReview["approval"] }) {
  return (
    <>
      <Reasons of={{ approval, reasons: approval.reasons.map(({ sentence }) => sentence) }} />
      <Sheet>
        <p class="text-lg leading-snug font-semibold">{shown(approval.summary)}</p>
      </Sheet>
      {approval.status === "pending" ? <Note>{text.keyOnly}</Note> : <Outcome approval={approval} />}
    </>
  );
}

/** Why a person is asked, before everything that the agent wrote. */
export function Reasons({ of: { approval, reasons } }: { of: Pick<ApprovalReview, "approval" | "reasons"> }) {
  // Of what isn't sent, the summary says all that there is to know.
  if (reasons.length === 0 && (approval.status !== "pending" || approval.subject_type !== "draft"))
    return null;
  return (
    <section
      aria-labelledby="why"
      class="rounded-sheet border-l-4 border-approval bg-approval-ground px-4 py-3 text-approval"
    >
      <h2 id="why" class="text-sm font-semibold">
        {approval.status === "pending" ? text.why : text.whyThen}
      </h2>
      {reasons.length === 0 ? (
        <p>{text.always}</p>
      ) : (
        <ul class="grid gap-1">
          {reasons.map((sentence) => (
            <li key={sentence}>{shown(sentence)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

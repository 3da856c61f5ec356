import type { ApprovalReview } from "@letterslot/client";
import { Check, Fingerprint, Pencil, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { features } from "../../api/features.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, Tick } from "../../ui/form.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Sheet } from "../../ui/layout.tsx";
import { Note } from "../../ui/small.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import type { Deciding } from "./deciding.ts";
import { editedFrom, hasNumbers, isEditable } from "./shapes.ts";

const text = words.approval;

/** What a person may say besides yes or no. */
export function Besides({ review, deciding }: { review: ApprovalReview; deciding: Deciding }) {
  const { besides, setBesides, remembers, setRemembers } = deciding;
  const [first, ...others] = deciding.recipients;
  return (
    <Sheet>
      <div class="grid gap-2">
        {first !== undefined && (
          <Tick
            label={text.remember(others.length === 0 ? first : text.andMore(first, others.length))}
            hint={text.rememberHint}
            checked={remembers}
            onValue={setRemembers}
          />
        )}
        {hasNumbers(review) && (
          <Tick
            label={text.rememberValues}
            hint={text.rememberValuesHint}
            checked={besides.remember_values}
            onValue={(remember_values) => setBesides({ ...besides, remember_values })}
          />
        )}
        <TextArea
          label={text.comment}
          hint={text.commentHint}
          rows={2}
          maxLength={2_000}
          value={besides.comment}
          onValue={(comment) => setBesides({ ...besides, comment })}
        />
      </div>
    </Sheet>
  );
}

/** What there is to know of passkeys before one decides. */
export function PasskeyNote({ review: { approve_with, has_passkey } }: { review: ApprovalReview }) {
  if (approve_with === "session") return null;
  if (!has_passkey)
    return (
      <Note tone="approval">
        {text.needsPasskey} <a href="#/you/passkeys">{text.addPasskey}</a>
      </Note>
    );
  return (
    <Note tone={features.passkeys === true ? "progress" : "problem"}>
      {features.passkeys === true ? text.takesPasskey : text.noPasskeyHere}
    </Note>
  );
}

/** The buttons that decide, at the foot of the screen, and the keys that press them. */
export function DecideBar({ review, deciding }: { review: ApprovalReview; deciding: Deciding }) {
  const { approval, mail, approve_with, has_passkey, held } = review;
  const { decide, busy, edited, setEdited, found } = deciding;
  const [rejecting, setRejecting] = useState(false);
  const release = approval.subject_type === "message_release";
  const signs = has_passkey && features.passkeys === true;
  // What wasn't seen isn't released.
  const approves = (approve_with === "session" || signs) && !(release && held === null);
  const edits = mail !== null && isEditable(mail) && approves;
  const startEditing = edits ? () => setEdited(editedFrom(mail)) : undefined;
  useKeys({
    a: approves && edited === null && !busy ? () => decide("approve") : undefined,
    e: edited === null && !busy ? startEditing : undefined,
    r: busy ? undefined : () => setRejecting(true),
  });
  const label =
    edited !== null
      ? found === null
        ? text.approveEdited
        : text.allTheSame
      : approve_with === "passkey"
        ? release
          ? text.releaseWithPasskey
          : text.approveWithPasskey
        : release
          ? text.release
          : text.approve;
  return (
    <div
      data-foot
      class="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-30 -mx-4 grid gap-2 border-t border-line bg-paper px-4 py-3 lg:bottom-0 lg:mx-0 lg:px-0"
    >
      {deciding.error && found === null && <Problem error={deciding.error} />}
      <div class="flex flex-wrap gap-2">
        {approves && (
          <Button
            kind="primary"
            icon={approve_with === "passkey" ? Fingerprint : Check}
            busy={busy}
            class="grow sm:grow-0"
            onClick={() => decide("approve")}
          >
            {label}
            {edited === null && <Key name="a" />}
          </Button>
        )}
        {edited === null ? (
          <>
            {startEditing && (
              <Button icon={Pencil} disabled={busy} onClick={startEditing}>
                {text.edit}
                <Key name="e" />
              </Button>
            )}
            <Button
              icon={X}
              disabled={busy}
              class={approves ? "" : "grow sm:grow-0"}
              onClick={() => setRejecting(true)}
            >
              {text.reject}
              <Key name="r" />
            </Button>
          </>
        ) : (
          <Button disabled={busy} onClick={() => setEdited(null)}>
            {text.stopEditing}
          </Button>
        )}
        {approve_with === "session" && signs && edited === null && (
          <Button
            kind="plain"
            icon={Fingerprint}
            disabled={busy}
            onClick={() => decide("approve", undefined, true)}
          >
            {text.sign}
          </Button>
        )}
      </div>
      {rejecting && (
        <RejectDialog
          deciding={deciding}
          onClose={() => setRejecting(false)}
          onReject={(comment) => {
            setRejecting(false);
            decide("reject", comment);
          }}
        />
      )}
    </div>
  );
}

/** A key that presses the button; of no use on a phone. */
const Key = ({ name }: { name: string }) => (
  <kbd
    class="hidden rounded border border-current/40 px-1.5 font-mono text-xs leading-5 opacity-80 lg:inline"
    aria-hidden="true"
  >
    {name}
  </kbd>
);

function RejectDialog({
  deciding,
  onClose,
  onReject,
}: {
  deciding: Deciding;
  onClose: () => void;
  onReject: (comment: string) => void;
}) {
  const [comment, setComment] = useState(deciding.besides.comment);
  return (
    <Dialog
      title={text.rejectTitle}
      onClose={onClose}
      actions={
        <Button kind="danger" busy={deciding.busy} onClick={() => onReject(comment)}>
          {text.reject}
        </Button>
      }
    >
      <TextArea
        label={text.comment}
        hint={text.rejectHint}
        maxLength={2_000}
        value={comment}
        onValue={setComment}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onReject(comment);
        }}
      />
    </Dialog>
  );
}

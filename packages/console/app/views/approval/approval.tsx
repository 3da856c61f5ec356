import type { ApprovalReview } from "@letterslot/client";
import { useEffect, useState } from "preact/hooks";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { View } from "../../ui/layout.tsx";
import { shown } from "../../ui/shown.ts";
import { Note, When } from "../../ui/small.tsx";
import { Answer, Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { Besides, DecideBar, PasskeyNote } from "./decide-bar.tsx";
import { Next, Outcome, Reasons, SeenByKey } from "./decided.tsx";
import { useDeciding } from "./deciding.ts";
import { differencesOf } from "./differences.ts";
import { EditSheet } from "./edit.tsx";
import { agentOf, questionOf, statusWord } from "./shapes.ts";
import { Subject } from "./subjects.tsx";
import { Differences, Versions } from "./versions.tsx";

const text = words.approval;
const BACK = { href: "/approvals", label: text.back };

/** One approval: what is asked and why, and the decision. */
export function Approval({ id }: { id: string }) {
  const { caller } = useCaller();
  return caller.kind === "person" ? <ForPerson key={id} id={id} /> : <ForKey id={id} />;
}

function ForKey({ id }: { id: string }) {
  const approval = useAnswer(["approvals", id], (client) => client.approvals.get({ approval_id: id }));
  return (
    <View title={text.title} back={BACK}>
      <Answer of={approval}>{(found) => <SeenByKey approval={found} />}</Answer>
    </View>
  );
}

function ForPerson({ id }: { id: string }) {
  const review = useAnswer(["approvals", id, "content"], (client) =>
    client.approvals.content({ approval_id: id }),
  );
  const title =
    review.data === undefined
      ? text.title
      : review.data.approval.status === "pending"
        ? questionOf(review.data)
        : statusWord(review.data.approval, text.ended);
  return (
    <View title={title} lead={review.data && leadOf(review.data)} back={BACK}>
      <Answer of={review}>
        {(found) => (
          <Review
            // Who hasn't decided begins anew with another state of it.
            key={found.approval.status}
            review={found}
            reload={() => void review.refetch()}
          />
        )}
      </Answer>
    </View>
  );
}

const leadOf = (review: ApprovalReview): string =>
  (review.approval.status === "pending" ? text.asks : text.askedYou)(agentOf(review));

function Review({ review, reload }: { review: ApprovalReview; reload: () => void }) {
  const { approval, decides } = review;
  if (approval.status !== "pending")
    return (
      <>
        <Outcome approval={approval} />
        <Next after={approval} />
        <Reasons of={review} />
        <Subject review={review} />
        <Versions of={review} />
      </>
    );
  if (!decides)
    return (
      <>
        <Reasons of={review} />
        <Subject review={review} />
        <Versions of={review} />
        <AskAuthority review={review} />
      </>
    );
  return <Decide review={review} reload={reload} />;
}

function Decide({ review: newest, reload }: { review: ApprovalReview; reload: () => void }) {
  // What is decided is what was read: a newer version is read first.
  const [read, setRead] = useState(newest);
  const changed = read.approval.digest !== newest.approval.digest;
  const review = changed ? newest : read;
  const deciding = useDeciding(newest, reload);
  const { edited, setEdited, found } = deciding;
  useEffect(() => {
    if (changed) setEdited(null);
  }, [changed, setEdited]);
  const { mail } = review;
  return (
    <>
      {changed && (
        <Note tone="problem">
          <div class="grid gap-3" role="alert">
            <p>
              <strong>{text.changed}.</strong> {text.changedText}
            </p>
            <Differences changes={differencesOf(read.mail, newest.mail)} />
            <div>
              <Button
                kind="primary"
                onClick={() => {
                  deciding.forgetError();
                  setRead(newest);
                }}
              >
                {text.readAgain}
              </Button>
            </div>
          </div>
        </Note>
      )}
      <Reasons of={review} />
      {mail !== null && edited !== null ? (
        <EditSheet mail={mail} edited={edited} onEdited={setEdited} />
      ) : (
        <Subject review={review} />
      )}
      <Versions of={review} />
      <Besides review={review} deciding={deciding} />
      <PasskeyNote review={review} />
      <p class="text-sm text-soft">
        {nothingYet(review)} {text.expires} <When at={review.approval.expires_at} form="relative" />.
        <span class="hidden lg:inline"> {text.keys}.</span>
      </p>
      {found !== null && (
        <Note tone="problem">
          <div role="alert" class="grid gap-1">
            <strong>{text.found}.</strong>
            <ul class="grid gap-1">
              {found.sentences.map((sentence) => (
                <li key={sentence}>{shown(sentence)}</li>
              ))}
            </ul>
          </div>
        </Note>
      )}
      {!changed && <DecideBar review={review} deciding={deciding} />}
    </>
  );
}

function nothingYet({ mail }: ApprovalReview): string {
  if (mail === null) return text.nothingYet.other;
  return mail.kind === "call" ? text.nothingYet.call : text.nothingYet.mail;
}

/** For an owner without authority, who reads the request and may ask to decide in future. */
function AskAuthority({ review: { account_id, approval } }: { review: ApprovalReview }) {
  const ask = useAct(
    (client) => client.authority.create({ account_id, inbox_id: approval.inbox_id }),
    ["authority"],
  );
  return (
    <Note tone="approval">
      <div class="grid justify-items-start gap-3">
        <p>{text.notYours}</p>
        {ask.data === undefined ? (
          <Button busy={ask.isPending} onClick={() => ask.mutate(undefined)}>
            {text.askAuthority}
          </Button>
        ) : (
          <p role="status">{text.askedAuthority}</p>
        )}
        {ask.error && <Problem error={ask.error} />}
      </div>
    </Note>
  );
}

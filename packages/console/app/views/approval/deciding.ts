import type { ApprovalReview, Client, LetterslotApiError } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useAct } from "../../api/queries.ts";
import { changesIn, type Edited, recipientsOf } from "./shapes.ts";

type Said = Parameters<Client["approvals"]["decideInSession"]>[0];

/** What a person says besides their verdict. */
export interface Besides {
  comment: string;
  /** The recipients for whom they ticked that they be remembered, one a line: it isn't said of others. */
  remembered: string | null;
  remember_values: boolean;
}

/** A mail as it was changed, in which something was found: the same changes with this digest approve it. */
export interface Found {
  edited: Edited;
  digest: string;
  sentences: readonly string[];
}

export interface Deciding {
  decide: (decision: "approve" | "reject", comment?: string, with_passkey?: boolean) => void;
  busy: boolean;
  error: LetterslotApiError | Error | null;
  found: Found | null;
  besides: Besides;
  setBesides: (besides: Besides) => void;
  /** Whom the mail goes to, as it is changed by now. */
  recipients: readonly string[];
  /** Whether these recipients are to be remembered. */
  remembers: boolean;
  setRemembers: (remembers: boolean) => void;
  edited: Edited | null;
  setEdited: (edited: Edited | null) => void;
  /** Forgets why deciding failed. */
  forgetError: () => void;
}

/** Decides the version that was read; `onOutdated` is told that there is another one by now. */
export function useDeciding(review: ApprovalReview, onOutdated: () => void): Deciding {
  const { approval, mail, approve_with } = review;
  const [besides, setBesides] = useState<Besides>({
    comment: "",
    remembered: null,
    remember_values: false,
  });
  const [edited, setEdited] = useState<Edited | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const recipients = mail === null ? [] : recipientsOf(mail, edited);
  const remembers = besides.remembered === recipients.join("\n");
  // What is decided comes with the press itself: a mutation may still have the closure of the render before.
  const act = useAct(
    async (client, { with_passkey, ...said }: Said & { with_passkey: boolean }) => {
      const { approval_id, digest, decision, changes } = said;
      if (!with_passkey || decision !== "approve") return client.approvals.decideInSession(said);
      const { signDecision } = await import("../../api/passkey.ts");
      const which = { approval_id, digest, decision, ...(changes === undefined ? {} : { changes }) };
      return client.approvals.decideInSession({ ...said, ...(await signDecision(client, which)) });
    },
    ["approvals", "drafts", "messages", "threads"],
  );
  return {
    decide(decision, comment = besides.comment, with_passkey = approve_with === "passkey") {
      const again = found !== null && found.edited === edited;
      const approving = decision === "approve";
      const changes = approving && mail !== null && edited !== null ? changesIn(mail, edited) : undefined;
      act.mutate(
        {
          ...{ approval_id: approval.id, decision, with_passkey },
          digest: again ? found.digest : approval.digest,
          ...(changes === undefined ? {} : { changes }),
          ...(comment.trim() === "" ? {} : { comment }),
          ...(approving ? { remember_recipients: remembers, remember_values: besides.remember_values } : {}),
        },
        {
          onError: (error) => {
            const { reasons, digest } = error;
            if (edited !== null && digest !== undefined && reasons !== undefined)
              setFound({ edited, digest, sentences: reasons.map(({ sentence }) => sentence) });
            else if (error.code === "approval_changed" || error.code === "approval_closed") onOutdated();
          },
        },
      );
    },
    busy: act.isPending,
    error: act.error,
    found: found !== null && found.edited === edited ? found : null,
    besides,
    setBesides,
    recipients,
    remembers,
    setRemembers: (on) => setBesides({ ...besides, remembered: on ? recipients.join("\n") : null }),
    edited,
    setEdited,
    forgetError: act.reset,
  };
}

import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import { REASONS } from "../../catalogue/reasons.ts";
import { type AccountCaller, reachesInbox } from "../../kernel/access/caller.ts";
import { showHidden } from "../../mail/outgoing-html/characters.ts";
import { Approval, type ApprovalRecord, type Reason, type ReasonRecord } from "../../model/approvals.ts";
import { ellipsize, oneLine } from "../notifications/layout.ts";

/** Whether a reader may know what the mail of an inbox says. */
export type MayRead = (inbox_id: string) => boolean;

/** Authorities know everything. */
export const READS_ALL: MayRead = () => true;

/** For people who may see the request, and no other mail. */
export const READS_NONE: MayRead = () => false;

/** Shows what its caller may read: to a person with authority everything, to others the mail within their reach. */
export const readsAs =
  (caller: AccountCaller): MayRead =>
  (inbox_id) =>
    caller.type === "owner" ||
    (holdsAny(caller.permissions, READ_PERMISSIONS.message) && reachesInbox(caller, inbox_id));

/** An approval as this reader sees it: of mail that they may not read, a reason's code alone. */
export function approvalFor(approval: ApprovalRecord, mayRead: MayRead): Approval {
  return Approval.parse({ ...approval, reasons: reasonsFor(approval, mayRead) });
}

/** An approval as its inbox's events carry it: of other inboxes' mail, a reason's code alone. */
export const approvalInEvent = (approval: ApprovalRecord): Approval =>
  approvalFor(approval, (inbox_id) => inbox_id === approval.inbox_id);

/** The reasons of an approval in plain words, each a sentence or two on one line, as this reader may know them. */
export function reasonSentences(
  approval: Pick<ApprovalRecord, "reasons" | "inbox_id">,
  mayRead: MayRead,
): string[] {
  return reasonsFor(approval, mayRead).map(({ sentence }) => sentence);
}

/** The reasons of an approval as this reader sees them. */
export function reasonsFor(
  { reasons, inbox_id }: Pick<ApprovalRecord, "reasons" | "inbox_id">,
  mayRead: MayRead,
): Reason[] {
  return reasons.map(({ inbox_id: of, ...reason }) => {
    const of_mail =
      of !== undefined || reason.message_id !== undefined || REASONS[reason.code]?.of_mail === true;
    const shown = of_mail && !mayRead(of ?? inbox_id) ? { code: reason.code, detail: null } : reason;
    return { ...shown, sentence: sentenceOf(shown) };
  });
}

function sentenceOf({ code, detail }: Pick<Reason, "code" | "detail">): string {
  const kind = REASONS[code];
  const what = detail === null ? "" : oneLine(showHidden(detail));
  if (kind === undefined) return what || code;
  return what === "" ? kind.unnamed : kind.says.replace("{what}", () => what);
}

/** The reasons of an open request that is asked for again: none that the owners were told is taken back. */
export function mergeReasons(before: readonly ReasonRecord[], more: readonly ReasonRecord[]): ReasonRecord[] {
  const known = new Map([...before, ...more.map(shortened)].map((reason) => [keyOf(reason), reason]));
  return [...known.values()].slice(0, LIMITS.approval_reasons);
}

const keyOf = ({ code, detail, message_id }: ReasonRecord): string =>
  JSON.stringify([code, detail, message_id]);

const shortened = (reason: ReasonRecord): ReasonRecord => ({
  ...reason,
  detail: reason.detail === null ? null : ellipsize(reason.detail, LIMITS.approval_reason_chars),
});

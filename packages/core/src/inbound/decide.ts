import { type ApprovalReply, matchApprovalReply } from "../approvals/index.ts";
import type { Services } from "../kernel/context.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { Safety } from "../model/screening.ts";
import { matchUnsubscribe } from "../owners/index.ts";
import { type MatchedAnswer, matchAnswer } from "../updates/index.ts";
import type { Evidence } from "./evidence.ts";
import { type Author, impersonatedName } from "./look-up-sender.ts";
import {
  automaticMarks,
  decideTask,
  isSenderBelieved,
  type Origin,
  speaksForOwner,
  type TaskFacts,
} from "./rules.ts";
import { screenMail } from "./screen-mail.ts";

/** The decisions about a mail for one inbox, made before it is stored. */
export interface MailDecision extends OwnerInstruction {
  facts: TaskFacts;
  safety: Safety;
  labels: string[];
  /** The owner, when the mail counts as written by one. */
  owner: OwnerRecord | undefined;
  task: ReturnType<typeof decideTask>;
}

/** What an owner's mail instructs the service to do: at most one of these. */
interface OwnerInstruction {
  /** It replies to an approval request. */
  approval_reply?: ApprovalReply | undefined;
  /** It unsubscribes the owner from updates. */
  unsubscribes?: boolean;
  /** It answers an update. */
  answers?: MatchedAnswer | undefined;
}

/** Screens a mail, reads an owner's instruction in it, and decides whether it becomes a task. */
export async function decide(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  author: Author,
  now: Date,
): Promise<MailDecision> {
  const { mail, mail_from, origin, authentication } = evidence;
  const { passes: authenticated, forwarded_by } = authentication;
  const believed = isSenderBelieved({ authenticated, forwarded_by });
  const safety = await screenMail(services, inbox.screening, mail, {
    authenticated: believed,
    known: author.known,
    display_name_of_known: author.known ? null : await impersonatedName(services, inbox, mail),
    trusted: (author.owner !== undefined || author.allowlisted) && believed,
    auth: authentication,
  });
  const suspicious = safety.mode !== "off" && safety.verdict === "suspicious";
  const held = suspicious && inbox.screening === "hold";
  const facts: TaskFacts = {
    origin,
    held,
    marks: automaticMarks(mail, { mail_from, origin, own_message: author.own_message }),
    owner: author.owner !== undefined,
    allowlisted: author.allowlisted,
    authenticated,
    forwarded_by,
    require_sender_auth: inbox.require_sender_auth,
  };
  const owner = speaksForOwner(facts) ? author.owner : undefined;
  const instruction = owner === undefined ? {} : await readOwnerInstruction(services, owner, mail, now);
  const task = noTaskBecauseOf(instruction) ?? decideTask(facts);
  return {
    ...instruction,
    facts,
    safety,
    labels: labelsOf({ origin, suspicious, held, believed }),
    owner,
    task,
  };
}

async function readOwnerInstruction(
  services: Services,
  owner: OwnerRecord,
  mail: Evidence["mail"],
  now: Date,
): Promise<OwnerInstruction> {
  const words = mail.extraction.extracted_text;
  const approval_reply = await matchApprovalReply(services, owner, mail, words, now);
  if (approval_reply !== undefined) return { approval_reply };
  if (await matchUnsubscribe(services, owner, mail, words)) return { unsubscribes: true };
  return { answers: await matchAnswer(services, owner, mail, words, now) };
}

/** The reason why an owner's instruction to the service makes no task. */
function noTaskBecauseOf({
  approval_reply,
  unsubscribes = false,
}: OwnerInstruction): MailDecision["task"] | undefined {
  const decides = approval_reply !== undefined && approval_reply.reading.verdict !== "unclear";
  const nothing = (reason: string) => ({ made: false, trusted: true, reason });
  if (decides)
    return nothing(
      "approval: the owner's reply decides the approval request, so there is nothing left to do",
    );
  return unsubscribes
    ? nothing("unsubscribe: the owner unsubscribed from updates, so there is nothing left to do")
    : undefined;
}

function labelsOf(facts: {
  origin: Origin;
  suspicious: boolean;
  held: boolean;
  believed: boolean;
}): string[] {
  const { origin, suspicious, held, believed } = facts;
  return [
    "received",
    "unread",
    ...(origin === "injected" ? ["injected"] : []),
    ...(suspicious ? ["suspicious"] : []),
    ...(held ? ["held"] : []),
    ...(believed ? [] : ["untrusted"]),
  ];
}

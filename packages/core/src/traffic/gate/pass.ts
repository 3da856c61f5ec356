import { fail } from "../../catalogue/errors.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import {
  canariesAmong,
  findOwnSecret,
  type OwnSecret,
  ownSecretFault,
  tripCanaries,
} from "../../mailbox/canaries/index.ts";
import type { ReasonRecord } from "../../model/approvals.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { isLooserOutbound, type OutboundFinding } from "../../model/outbound.ts";
import { type AskedBy, fileShown, readableEvidence, reasonsShown } from "./evidence.ts";
import { FINDING_CODES, FINDING_GROUPS, type Finding, findingsIn, type OutboundFacts } from "./findings.ts";
import { gather } from "./gather.ts";
import { gatherOutbound } from "./gather-outbound.ts";
import type { Leaving, Sender } from "./leaving.ts";
import { lookThrough } from "./look-through.ts";
import { noteOfFile } from "./mentions.ts";
import { type Check, judge, judgeLate, type LateFacts, passOrFail } from "./rules.ts";
import { NOTHING_UNREAD, type UnreadFiles } from "./unread-files.ts";

/** The caller who would let something leave, and the services that read it. */
export type Asking = Sender & Services & AskedBy;

/** The gate's judgement of something that is to leave. */
export interface Judgement {
  /** All checks, in order. */
  checks: Check[];
  /** Whether it waits for an authority; `reasons` says why, and is empty where every mail waits. */
  asks: boolean;
  reasons: ReasonRecord[];
  /** What was found, for the message; null where nothing was looked for. */
  findings: OutboundFinding[] | null;
}

/** How something is judged. */
export interface Judging {
  /** An authority has seen it: only what refuses it, and secrets of the account, count. */
  approved?: boolean;
  /** Reads what is found where it is stored, where nothing will be. */
  late?: (asks: boolean) => Promise<LateFacts>;
}

/** The notes to be written about something that would leave, or doesn't. */
interface Unwritten {
  /** Suppressions that its own people lifted. */
  lifted: string[];
  secret: OwnSecret | undefined;
  canaries: CanaryRecord[];
  /** What files that came in say, where nobody has read them before. */
  unread: UnreadFiles;
}

/** Judges what is to leave. Writes nothing. */
export async function judgeLeaving(
  asking: Asking,
  leaving: Leaving,
  { approved = false, late }: Judging = {},
): Promise<Judgement & Unwritten> {
  const seen = lookThrough(asking, leaving);
  const [{ facts, lifted }, secret, canaries, gathered] = await Promise.all([
    gather(asking, leaving),
    seen.then((each) => findOwnSecret(asking, each)),
    seen.then((each) => canariesAmong(asking.storage, asking.inbox.account_id, each.canaries)),
    approved
      ? undefined
      : gatherOutbound(asking, leaving, seen, {
          readable: (evidence) => readableEvidence(asking, evidence),
          fileShown: (message, filename) => fileShown(asking, message, filename),
        }),
  ]);
  const outbound = gathered?.facts;
  const found = outbound === undefined ? [] : findingsIn(outbound);
  const reasons = found.flatMap((finding) => (finding.policy === "approve" ? [reasonOf(finding)] : []));
  const asks = !approved && (asking.inbox.effective_send_mode === "approval" || reasons.length > 0);
  const checks = [
    ...judge({
      ...facts,
      ...(canaries.length === 0 ? {} : { tripped: fail("canary_leaked") }),
      secret: secret === undefined ? null : ownSecretFault(secret),
    }),
    ...(outbound === undefined ? [] : findingChecks(asking, outbound, found)),
    ...(asks ? await askingChecks(asking, reasons) : []),
    ...(late === undefined ? [] : judgeLate(await late(asks))),
  ];
  const findings = outbound === undefined ? null : found.map(({ code, detail }) => ({ code, detail }));
  const unread = gathered?.unread ?? NOTHING_UNREAD;
  return { checks, asks, reasons, findings, lifted, secret, canaries, unread };
}

/**
 * The gate that everything passes which an agent lets leave: mail, drafts, texts and calls, at once or later. Fails as
 * the first check that refuses; what is counted is counted where the mail is stored.
 */
export async function passGate(asking: Asking, leaving: Leaving, judging: Judging = {}): Promise<Judgement> {
  const judgement = await judgeLeaving(asking, leaving, judging);
  const { checks, secret, canaries, lifted, unread } = judgement;
  for (const reading of unread.late) void noteLate(asking, reading);
  await Promise.all(unread.files.map((records) => noteOfFile(asking, records)));
  if (canaries.length > 0) await tripCanaries(asking, asking.inbox, canaries, asking.now);
  if (secret?.live_key !== undefined) await tellLeaked(asking, secret.live_key);
  passOrFail(checks);
  if (lifted.length > 0) await asking.storage.delete("suppressions", { id: { in: lifted } });
  return judgement;
}

/** Notes what a file says that takes long, once it is read, so that the next call knows it. This one doesn't wait. */
const noteLate = (asking: Asking, reading: UnreadFiles["late"][number]): Promise<void> =>
  reading
    .then((records) => noteOfFile(asking, records ?? []))
    // The file stays unread, and is opened again for the next call.
    .catch((error: unknown) => asking.log.warn({ error }, "a file that took long was not noted"));

/**
 * Checks in the transaction that stores what was judged that its inbox hasn't become stricter since. Fails with
 * `draft_changed`: tried again, it is judged anew.
 */
export function checkStillJudged(judged: InboxRecord, current: InboxRecord): void {
  if (isLooserOutbound(current, judged)) throw fail("draft_changed");
}

const passed = (name: string): Check => ({
  ...{ name, result: "pass", code: null, detail: null, param: null, error: null },
});

/** The checks of what was looked for, and of what was found. */
function findingChecks(asking: Asking, { policies }: OutboundFacts, found: readonly Finding[]): Check[] {
  return FINDING_CODES.flatMap((name) => {
    if (policies[FINDING_GROUPS[name]] === "off") return [];
    const here = found.filter(({ code }) => code === name);
    return here.length === 0 ? passed(name) : here.map((finding) => checkOf(asking, finding));
  });
}

const RESULTS = { observe: "warn", approve: "hold", block: "fail" } as const;

function checkOf(asking: Asking, finding: Finding): Check {
  const { code, detail, param, policy } = finding;
  const error =
    policy === "block"
      ? fail("outbound_blocked", {
          ...(param === null ? {} : { param }),
          reasons: reasonsShown(asking, [reasonOf(finding)]),
        })
      : null;
  return { name: code, result: RESULTS[policy], code, detail, param, error };
}

const reasonOf = ({ code, detail, message_id, inbox_id }: Finding): ReasonRecord => ({
  ...{ code, detail },
  ...(message_id === undefined ? {} : { message_id }),
  ...(inbox_id === undefined ? {} : { inbox_id }),
});

/** Whether somebody could be asked. */
async function askingChecks(asking: Asking, reasons: readonly ReasonRecord[]): Promise<Check[]> {
  const { inbox, storage, ...own } = asking;
  const { id: inbox_id, account_id } = inbox;
  const { emails } = await decidersOver(own, storage, { account_id, inbox_id });
  const name = "send_mode";
  if (emails.length > 0) {
    const detail =
      reasons.length === 0 ? "An owner approves every mail of this inbox." : "An owner is asked.";
    return [{ name, result: "hold", code: "approval_required", detail, param: null, error: null }];
  }
  const shown = reasonsShown(asking, reasons);
  const error = fail("owner_required", shown.length === 0 ? {} : { reasons: shown });
  return [{ name, result: "fail", code: "owner_required", detail: error.message, param: null, error }];
}

async function tellLeaked(services: Asking, key: NonNullable<OwnSecret["live_key"]>): Promise<void> {
  const { id: key_id, prefix, account_id } = key;
  await unitOfWork(services, account_id, services.now, async (work) => {
    const data = { key_id, prefix, from_inbox_id: services.inbox.id };
    work.publish({ type: "key.leaked", inbox_id: null, data });
  });
}

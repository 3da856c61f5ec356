import { fail } from "../../../catalogue/errors.ts";
import { holdsAny, type Permission } from "../../../catalogue/permissions.ts";
import { given } from "../../../kernel/input/given.ts";
import { type InboxRecord, OwnerCopy } from "../../../model/inboxes.ts";
import {
  ApproveWith,
  blocksMore,
  isLooserOutbound,
  isTighterOutbound,
  NO_OUTBOUND,
  type Outbound,
  type OutboundInput,
  type OutboundSettings,
  Policy,
  type PolicyGroup,
  releaseByAfter,
  SendMode,
} from "../../../model/outbound.ts";
import { ReleaseBy, ScreeningMode } from "../../../model/screening.ts";
import { approvalRequired, endsCopies, isLaxer, type Security } from "../rules.ts";

/** The settings of an inbox by which people keep control over it. */
export type Guards = Security & OutboundSettings & Pick<InboxRecord, "owner_copy">;

/** The fields of a change that may need a person's decision, as they are asked for. */
export interface GuardsAsked {
  screening?: ScreeningMode | undefined;
  require_sender_auth?: boolean | undefined;
  sms_tasks?: boolean | undefined;
  send_mode?: SendMode | undefined;
  outbound?: OutboundInput | undefined;
  release_by?: ReleaseBy | undefined;
  owner_copy?: OwnerCopy | undefined;
  approve_with?: ApproveWith | undefined;
}

/** The policies after a change: those that it doesn't name stay. */
export const outboundAfter = (before: Outbound, asked: OutboundInput | undefined): Outbound => ({
  ...before,
  ...Object.fromEntries(Object.entries(asked ?? {}).filter(([, policy]) => policy !== undefined)),
});

/** The policies of a new inbox. */
export const outboundOf = (asked: OutboundInput | undefined): Outbound => outboundAfter(NO_OUTBOUND, asked);

/**
 * Who decides a change of the guards. Whoever may change the inbox makes them tighter, up to asking people; blocking
 * and everything looser is for a caller with `owner_manage`, and once people can decide, for one of them.
 */
export type GuardsDecision = "nobody" | "manager" | "person";

/** Returns who decides; `people` says whether there is somebody who could. */
export function decisionOn(before: Guards, after: Guards, people: boolean): GuardsDecision {
  const keeps_release =
    after.release_by === "key" &&
    releaseByAfter(before, after) === "authority" &&
    before.release_by === "key";
  const free =
    !isLaxer(before, after) &&
    !isLooserOutbound(before, after) &&
    !endsCopies(before, after.owner_copy) &&
    !blocksMore(before, after) &&
    !keeps_release;
  if (free) return "nobody";
  return people ? "person" : "manager";
}

/**
 * Asking people about mail needs somebody who could answer. Fails with `owner_required` when a change makes an
 * existing inbox ask where nobody could.
 */
export function checkCanAsk(before: Guards, after: Guards, people: boolean): void {
  if (people) return;
  if (isTighterOutbound(before, after)) {
    const param = before.send_mode === after.send_mode ? "outbound" : "send_mode";
    throw fail("owner_required", { param });
  }
  if (before.release_by === "key" && after.release_by === "authority")
    throw fail("owner_required", { param: "release_by" });
}

/** Fails with `permission_denied` unless the caller has `owner_manage`. */
export function checkManager(permissions: readonly Permission[] | null): void {
  if (holdsAny(permissions, ["owner_manage"])) return;
  throw fail("permission_denied", {
    param: "owner_manage",
    fix: "Use a key with owner_manage. A key with inbox_update alone can only make an inbox stricter, up to asking its owners.",
  });
}

/** A change that a person decides is asked for alone. Fails with `invalid_request`. */
export function checkAskedAlone(asked: GuardsAsked, others: Record<string, unknown>): void {
  if (Object.values(others).every((value) => value === undefined)) return;
  throw fail("invalid_request", {
    param: Object.entries(asked).find(([, value]) => value !== undefined)?.[0] ?? "send_mode",
    message: "An owner must approve this change. Change nothing else in the same call.",
  });
}

/** Of an inbox that waits for people, an earlier expiry would be its deletion. Fails with `approval_required`. */
export function checkExpiry(
  before: Pick<InboxRecord, "id" | "expires_at">,
  expires_at: string | null | undefined,
): void {
  if (expires_at == null) return;
  if (before.expires_at === null || expires_at < before.expires_at)
    throw approvalRequired([before.id], "expires_at");
}

/**
 * A new inbox asks people from the start only if there are any, and is never looser than the account's other inboxes
 * without their decision. Fails with `owner_required`, `permission_denied` or `approval_required`.
 */
export function checkStart(
  asked: Pick<GuardsAsked, "send_mode" | "outbound">,
  { plain, made }: { plain: OutboundSettings; made: OutboundSettings },
  { people, permissions }: { people: boolean; permissions: readonly Permission[] | null },
): void {
  if (asked.send_mode === "approval" && !people) throw fail("owner_required", { param: "send_mode" });
  if (!isLooserOutbound(plain, made) && !blocksMore(plain, made)) return;
  checkManager(permissions);
  if (!people) return;
  throw fail("approval_required", {
    param: "outbound",
    message: "An owner must approve that mail of this inbox leaves more freely, or is blocked.",
    fix: "Create the inbox without it, then ask for it with PATCH /api/v1/inboxes/:id {outbound}.",
  });
}

/** Puts the change that is asked for into the words of an approval. */
export function changeOfGuards({ outbound, ...asked }: GuardsAsked): Record<string, string> {
  const policies = Object.entries(outbound ?? {}).map(([group, policy]) => [group, policy ?? FOLLOWS]);
  const fields = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return Object.fromEntries([...fields, ...policies]) as Record<string, string>;
}

/** The same, read back from an approval; what this version doesn't know is left out. */
export function guardsOfChange(change: Record<string, string>): GuardsAsked {
  const known = <V>(schema: { safeParse(text: unknown): { success: boolean; data?: V } }, name: string) =>
    schema.safeParse(change[name]).data;
  const flag = (name: string) => (change[name] === undefined ? undefined : change[name] === "true");
  const policyOf = (group: PolicyGroup) =>
    change[group] === FOLLOWS ? null : Policy.safeParse(change[group]).data;
  const outbound = given({
    untrusted: policyOf("untrusted"),
    content: policyOf("content"),
    new_recipients: policyOf("new_recipients"),
  });
  return {
    screening: known(ScreeningMode, "screening"),
    send_mode: known(SendMode, "send_mode"),
    release_by: known(ReleaseBy, "release_by"),
    owner_copy: known(OwnerCopy, "owner_copy"),
    approve_with: known(ApproveWith, "approve_with"),
    ...{ require_sender_auth: flag("require_sender_auth"), sms_tasks: flag("sms_tasks") },
    outbound: Object.keys(outbound).length === 0 ? undefined : outbound,
  };
}

const FOLLOWS = "null";

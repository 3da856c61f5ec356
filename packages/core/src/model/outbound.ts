import { z } from "zod";
import type { ReleaseBy } from "./screening.ts";

/**
 * The ways of sending mail, from the laxest to the strictest: at once; at once unless something speaks against it; or
 * always after an owner's approval.
 */
export const SendMode = z.enum(["direct", "guarded", "approval"], { error: "invalid_send_mode" });
export type SendMode = z.infer<typeof SendMode>;

/** The proof of a person's decision: their session, or a passkey, which signs the decision. */
export const ApproveWith = z.enum(["session", "passkey"]);
export type ApproveWith = z.infer<typeof ApproveWith>;

/** The actions when something is found in mail that is to leave, from the laxest to the strictest. */
export const Policy = z.enum(["off", "observe", "approve", "block"], { error: "invalid_outbound" });
export type Policy = z.infer<typeof Policy>;

const GROUPS = {
  untrusted: "Recipients, words and files that came from strangers.",
  content: "Secrets, personal data, and what can't be read or is hidden.",
  new_recipients: "Recipients that the account doesn't know.",
} as const;

/** Something that was found in what is to leave. */
export const OutboundFinding = z
  .object({
    code: z.string().describe("What was found, such as `untrusted_recipient`."),
    detail: z.string().describe("The same in a sentence."),
  })
  .meta({ title: "OutboundFinding" });
export type OutboundFinding = z.infer<typeof OutboundFinding>;

/** The groups of findings that have a policy each. */
export const POLICY_GROUPS = ["untrusted", "content", "new_recipients"] as const;
export type PolicyGroup = (typeof POLICY_GROUPS)[number];

const own = (group: PolicyGroup) =>
  Policy.nullable().describe(`${GROUPS[group]} What happens then; null follows the send mode.`);
const inForce = (group: PolicyGroup) => Policy.describe(`${GROUPS[group]} What happens then.`);

/** The policies that an inbox has of its own. */
export const Outbound = z
  .object({
    untrusted: own("untrusted"),
    content: own("content"),
    new_recipients: own("new_recipients"),
  })
  .meta({ title: "OutboundPolicies" });
export type Outbound = z.infer<typeof Outbound>;

/** The policies in force: the stricter of the inbox's and its account's. */
export const EffectiveOutbound = z.object({
  untrusted: inForce("untrusted"),
  content: inForce("content"),
  new_recipients: inForce("new_recipients"),
});
export type EffectiveOutbound = z.infer<typeof EffectiveOutbound>;

/** Policies as input: those left out stay as they are. */
export const OutboundInput = z
  .strictObject({
    untrusted: own("untrusted").optional(),
    content: own("content").optional(),
    new_recipients: own("new_recipients").optional(),
  })
  .refine((given) => Object.values(given).some((policy) => policy !== undefined), {
    error: "must name at least one policy",
  });
export type OutboundInput = z.infer<typeof OutboundInput>;

/** No policies of its own: each follows the send mode. */
export const NO_OUTBOUND: Outbound = { untrusted: null, content: null, new_recipients: null };

/** Each mode's actions on findings, unless an inbox says otherwise. */
const OF_MODE: Record<SendMode, EffectiveOutbound> = {
  direct: { untrusted: "observe", content: "observe", new_recipients: "observe" },
  guarded: { untrusted: "approve", content: "approve", new_recipients: "observe" },
  approval: { untrusted: "approve", content: "approve", new_recipients: "approve" },
};

/** The settings of an inbox that say what may leave, with those that follow from them. */
export interface OutboundSettings {
  send_mode: SendMode;
  outbound: Outbound;
  effective_send_mode: SendMode;
  effective_outbound: EffectiveOutbound;
}

/** The later of two in a list that goes from the laxest to the strictest. */
const stricter = <V extends string>(order: readonly V[], one: V, other: V): V =>
  order.indexOf(one) < order.indexOf(other) ? other : one;

/** The stricter of two modes. */
export const strictestSendMode = (one: SendMode, other: SendMode): SendMode =>
  stricter(SendMode.options, one, other);

/** Completes what an inbox says of its own mail by its account's floor: in each part the stricter counts. */
export function settleOutbound(
  { send_mode, outbound }: Pick<OutboundSettings, "send_mode" | "outbound">,
  floor: SendMode,
): OutboundSettings {
  const policyOf = (group: PolicyGroup): Policy => {
    const here = outbound[group] ?? OF_MODE[send_mode][group];
    // `direct` is no floor: it would make an inbox observe what it leaves unlooked at.
    return floor === "direct" ? here : stricter(Policy.options, here, OF_MODE[floor][group]);
  };
  return {
    ...{ send_mode, outbound },
    effective_send_mode: strictestSendMode(send_mode, floor),
    effective_outbound: {
      untrusted: policyOf("untrusted"),
      content: policyOf("content"),
      new_recipients: policyOf("new_recipients"),
    },
  };
}

type InForce = Pick<OutboundSettings, "effective_send_mode" | "effective_outbound">;

/** Whether an authority may be asked about the inbox's mail: it isn't wholly direct, or they release what is held. */
export const asksAuthority = ({
  effective_send_mode,
  effective_outbound,
  release_by,
}: InForce & { release_by: ReleaseBy }): boolean =>
  effective_send_mode !== "direct" ||
  release_by === "authority" ||
  Object.values(effective_outbound).includes("approve");

/** Whether its mail leaves at once whatever is found in it, and nobody is asked about anything of it. */
export const isWhollyDirect = (inbox: InForce & { release_by: ReleaseBy }): boolean =>
  !asksAuthority(inbox) && !Object.values(inbox.effective_outbound).includes("block");

/** Who releases held mail once these settings are in force: asking about mail begins with asking about that too. */
export const releaseByAfter = (
  before: Pick<InForce, "effective_send_mode"> & { release_by: ReleaseBy },
  { effective_send_mode }: Pick<InForce, "effective_send_mode">,
): ReleaseBy =>
  before.effective_send_mode === "direct" && effective_send_mode !== "direct"
    ? "authority"
    : before.release_by;

/** Whether anything is looked for in the inbox's mail. */
export const looksAtMail = ({ effective_outbound }: InForce): boolean =>
  Object.values(effective_outbound).some((policy) => policy !== "off");

/** Whether mail may leave more freely after a change. */
export const isLooserOutbound = (before: InForce, after: InForce): boolean =>
  isEarlier(SendMode.options, after.effective_send_mode, before.effective_send_mode) ||
  POLICY_GROUPS.some((group) =>
    isEarlier(Policy.options, after.effective_outbound[group], before.effective_outbound[group]),
  );

/** Whether a change makes authorities be asked where they weren't. */
export const isTighterOutbound = (before: InForce, after: InForce): boolean =>
  isEarlier(SendMode.options, before.effective_send_mode, after.effective_send_mode) ||
  POLICY_GROUPS.some(
    (group) =>
      after.effective_outbound[group] === "approve" &&
      isEarlier(Policy.options, before.effective_outbound[group], "approve"),
  );

/** Whether a change blocks what could leave before, with an approval at least. */
export const blocksMore = (before: InForce, after: InForce): boolean =>
  POLICY_GROUPS.some(
    (group) => after.effective_outbound[group] === "block" && before.effective_outbound[group] !== "block",
  );

const isEarlier = <V extends string>(order: readonly V[], one: V, than: V): boolean =>
  order.indexOf(one) < order.indexOf(than);

import type { SuppressionRecord } from "../../model/suppressions.ts";

/**
 * The requester of lifting a suppression: a key or app, a person with authority in session, the operator, or the
 * recipient.
 */
export type Lifter = "key" | "authority" | "operator" | "recipient";

type Made = Pick<SuppressionRecord, "made_by" | "reason">;

/**
 * Whether somebody may lift a suppression. Any key may lift one that a key made, and one that a bounce made, but not
 * again within 30 days (`lifted_lately`). One that a person or their complaint made, only they themselves, somebody
 * in charge or the operator may lift.
 */
export function mayLift({ made_by, reason }: Made, by: Lifter, lifted_lately: boolean): boolean {
  if (by === "authority" || by === "operator") return true;
  if (by === "recipient") return reason === "stop" || reason === "complaint";
  return made_by === "key" || (made_by === "bounce" && !lifted_lately);
}

const STRENGTH: Record<SuppressionRecord["made_by"], number> = { key: 0, bounce: 1, complaint: 2, person: 3 };

/** Whether a new reason makes a suppression harder to lift: it then replaces the earlier one. */
export const isStronger = (made_by: SuppressionRecord["made_by"], than: Pick<Made, "made_by">): boolean =>
  STRENGTH[made_by] > STRENGTH[than.made_by];

import type { ApprovalReview, LetterslotError } from "@letterslot/core";
import { addressKey } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { ServerContext, ServerState } from "../../request/context.ts";
import { checkSameOrigin } from "../../request/same-origin.ts";
import { ownerCallerOf, personOf } from "../../request/session.ts";

/** The value that the script posts in place of a signature when it got no challenge. */
export const REFUSED = "refused";

/** A decision, and about which version of the mail. */
export interface Asked {
  decision: string;
  digest?: string | undefined;
  changes?: Record<string, unknown> | undefined;
}

/**
 * What a browser needs to have the passkey of the person who is asked sign a decision; `sign_in` where they must first
 * sign in by it. Fails as `approvals.decideOptions` does.
 */
export async function decisionOptions(
  c: ServerContext,
  state: ServerState,
  { approval, owner_email }: ApprovalReview,
  asked: Asked,
): Promise<{ get: unknown } | { sign_in: unknown }> {
  checkSameOrigin(c, state);
  const { letterslot } = state;
  const person = await personOf(c, state);
  if (person?.email !== addressKey(owner_email)) {
    const anybody = letterslot.as({ type: "public", ip: state.clientAddress(c) });
    return { sign_in: (await anybody.sessions.passkeyOptions({})).get };
  }
  const caller = await ownerCallerOf(c, state, person, "approvals.decideOptions");
  const input = { approval_id: approval.id, ...asked };
  return { get: ((await letterslot.call(caller, "approvals.decideOptions", input)) as { get: unknown }).get };
}

/** Fails with the reason for which nothing was signed. */
export async function refusedSignature(...given: Parameters<typeof decisionOptions>): Promise<never> {
  await decisionOptions(...given);
  throw notSigned();
}

const notSigned = (): LetterslotError => fail("passkey_invalid", { param: "passkey" });

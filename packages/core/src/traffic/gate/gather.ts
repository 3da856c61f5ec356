import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { restrictionsOf } from "../../kernel/access/claimed.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { sendingHealth } from "../../limits/health/index.ts";
import { trippedFault } from "../../mailbox/canaries/index.ts";
import { sendListFacts } from "../../mailbox/lists/index.ts";
import { checkNumberSuppressed, suppressedAmong } from "../../mailbox/suppressions/index.ts";
import { checkCallAllowance, checkReachable, findActiveNumber } from "../../phone/telephony/index.ts";
import { checkWords } from "./check-words.ts";
import type { Leaving, Sender } from "./leaving.ts";
import { type Facts, type Fault, recipientsOf } from "./rules.ts";

/** The facts, and the suppressions to be deleted when it leaves, because their own people lifted them. */
export interface Gathered {
  facts: Facts;
  lifted: string[];
}

/** Reads what is to be known of a mail, text or call before it is stored. Writes nothing. */
export async function gather(sender: Sender, leaving: Leaving): Promise<Gathered> {
  const { storage, inbox, options, now } = sender;
  const to = recipientsOf(leaving);
  const [claimed, lists, suppressed, health, phone] = await Promise.all([
    isClaimed(sender),
    sendListFacts(storage, inbox, to),
    suppressionOf(sender, leaving, to),
    sendingHealth(storage, inbox.account_id, now),
    leaving.way === "mail" ? {} : phoneFacts(sender, leaving),
  ]);
  const state = { paused: inbox.status === "paused", expired: stateOf(inbox, now) === "expired" };
  const facts: Facts = {
    ...{ way: leaving.way, words: leaving, state, lists, health, ...phone },
    claimed: restrictionsOf({ claimed }, options.onboarding).length === 0,
    suppressed: suppressed.fault,
    tripped: trippedFault(inbox),
  };
  return { facts, lifted: suppressed.lifted };
}

async function isClaimed({ storage, inbox, options }: Sender): Promise<boolean> {
  if (options.onboarding !== "claimed") return true;
  return (await rootAccount(storage, inbox.account_id))?.claimed === true;
}

async function suppressionOf(
  { storage, inbox }: Sender,
  { way }: Leaving,
  to: readonly string[],
): Promise<{ fault: Fault; lifted: string[] }> {
  if (way !== "mail")
    return { fault: await faultOf(checkNumberSuppressed(storage, inbox, to[0] ?? "")), lifted: [] };
  const { by, lifted } = await suppressedAmong({ storage, inbox }, to);
  if (by === undefined) return { fault: null, lifted };
  const message = `${by.address} is suppressed. Reason: ${by.reason}.`;
  return { fault: fail("recipient_suppressed", { param: "to", message }), lifted };
}

async function phoneFacts(
  { storage, inbox, options, now }: Sender,
  leaving: Leaving,
): Promise<Pick<Facts, "reachable" | "number" | "allowance">> {
  const [to = ""] = leaving.to;
  const text = leaving.text ?? "";
  const [reachable, found] = await Promise.all([
    faultOf(reach(leaving, to, text)),
    findActiveNumber(storage, inbox.id),
  ]);
  const number = found === undefined ? fail("phone_number_not_found") : null;
  if (leaving.way !== "call") return { reachable, number };
  const call = { say: text, mode: leaving.call_mode };
  const allowance = await faultOf(checkCallAllowance({ options }, storage, inbox.account_id, call, now));
  return { reachable, number, allowance };
}

async function reach({ way }: Leaving, to: string, text: string): Promise<void> {
  checkWords({ kind: way === "call" ? "call" : "sms", text });
  await checkReachable(to);
}

/** The failure that a check of another feature ends with; null when it passes. Other errors are thrown. */
export async function faultOf(checking: Promise<unknown>): Promise<Fault> {
  try {
    await checking;
    return null;
  } catch (error) {
    if (error instanceof LetterslotError) return error;
    throw error;
  }
}

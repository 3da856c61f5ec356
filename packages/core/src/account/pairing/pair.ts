import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import type { PublicContext } from "../../kernel/context.ts";
import { count } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { Key, type KeyRecord } from "../../model/keys.ts";
import { Pairing, type PairingRecord } from "../../model/pairings.ts";
import { addVerifiedOwner } from "../../owners/owners/index.ts";
import { askedFrom, giveAuthority, ownerCaller } from "../../owners/sessions/index.ts";
import { newKey } from "../accounts/keys/create.ts";
import { accountWithoutKey, admitSignUp } from "../accounts/open.ts";
import { insertInbox } from "../inboxes/create.ts";
import { CODE_PURPOSE, freePlace } from "./make.ts";
import { masked, permissionsGiven, readCode, statusOf } from "./rules.ts";

const KEY_NAME = "Paired agent";

/** The agent's part of a pairing, besides the code. */
export interface PairRequest {
  code: string;
  /** The name of a new inbox; an inbox that exists keeps its own. */
  username: string | undefined;
  display_name: string | null | undefined;
  client_name: string | undefined;
}

/** The answer to a code: the agent's key and inbox. */
interface PairedAgent {
  inbox: InboxRecord;
  key: KeyRecord;
  api_key: string;
  owner_email_masked: string;
}

/**
 * Lets an agent in with a person's code, once: of two calls at the same time one gets a key. Fails with
 * `pairing_invalid`, the same for unknown, used and expired codes and for a person who lost their authority; with
 * `rate_limited`, or, where the code is for a new inbox, as creating one does, which doesn't use the code up.
 */
export async function pair(ctx: PublicContext, request: PairRequest): Promise<PairedAgent> {
  const pairing = await findByCode(ctx, request.code);
  const paired =
    pairing.inbox_id === null
      ? await pairInNewAccount(ctx, pairing, request)
      : await pairInInbox(ctx, { ...pairing, inbox_id: pairing.inbox_id }, request);
  await freePlace(ctx, pairing);
  return { ...paired, owner_email_masked: masked(pairing.email) };
}

/** The pairing of a code that still works; each other code is a wrong try of its network. */
async function findByCode(ctx: PublicContext, typed: string): Promise<PairingRecord> {
  const { storage, seal, caller, now } = ctx;
  const place = caller.ip === null ? "here" : addressGroup(caller.ip);
  const cap = {
    name: `pair:${place}`,
    max: LIMITS.pairing_wrong_codes_per_ip,
    window_ms: LIMITS.pairing_code_ms,
  };
  // Counted before the code is looked up, so that tries at the same time count too.
  const tried = await count(storage, cap, now);
  if (!tried.within) throw fail("rate_limited", { retry_after_seconds: tried.retry_after_seconds });
  const code = readCode(typed);
  const where = { code_mac: { in: seal.macs(CODE_PURPOSE, code) } };
  const [found] = await storage.find("pairings", { where, limit: 1 });
  if (found === undefined || statusOf(found, iso(now)) !== "open") throw invalid();
  await tried.give_back();
  return found;
}

async function pairInNewAccount(
  ctx: PublicContext,
  pairing: PairingRecord,
  { username, display_name = null, client_name }: PairRequest,
) {
  const { now, caller } = ctx;
  const { email, send_mode, permissions, budget } = pairing;
  if (!(await isOutside(ctx, ctx.storage, email))) throw invalid();
  await admitSignUp(ctx, caller.ip, now, "person");
  const account = { ...accountWithoutKey(ctx, now), claimed: true, first_owner_email: email };
  const account_id = account.id;
  const terms = { account_id, inbox_id: null, permissions, expires_at: null, budget };
  const { record: key, api_key } = newKey(ctx.makeId, { ...terms, name: KEY_NAME, parent_key_id: null }, now);
  return unitOfWork(ctx, account_id, now, async (work) => {
    work.append("accounts", [account]);
    // Before the inbox, whose mode may ask for somebody in charge.
    await giveAuthority(ctx, work, { account_id, email, inbox_id: null, given_by: email }, now);
    const asked = { account_id, username, display_name, send_mode: send_mode ?? undefined };
    const { inbox } = await insertInbox(ctx, work, asked, now);
    await addVerifiedOwner(ctx, work, { account, inbox, email }, now);
    work.append("keys", [key]);
    await use(ctx, work, pairing, { key, inbox, inbox_created: true, client_name });
    return { inbox, key, api_key };
  });
}

async function pairInInbox(
  ctx: PublicContext,
  pairing: PairingRecord & { inbox_id: string },
  { client_name }: PairRequest,
) {
  const { now, caller } = ctx;
  const { email, inbox_id, permissions, budget } = pairing;
  // What the person may do is asked again: they may have lost it since.
  const giver = await ownerCaller(ctx, { email, session_id: null, ip: caller.ip }, { inbox_id }).catch(lost);
  const { account_id } = giver;
  const still = (() => {
    try {
      return permissionsGiven(permissions, giver.permissions);
    } catch (error) {
      return lost(error);
    }
  })();
  const terms = { account_id, inbox_id, permissions: still, expires_at: null, budget };
  const { record: key, api_key } = newKey(ctx.makeId, { ...terms, name: KEY_NAME, parent_key_id: null }, now);
  return unitOfWork(ctx, account_id, now, async (work) => {
    const inbox = await work.get("inboxes", inbox_id);
    if (inbox === undefined) throw invalid();
    const charge = await authoritiesOver(ctx, work, { account_id, inbox_id });
    if (!charge.some((each) => each.email === email)) throw invalid();
    work.append("keys", [key]);
    await use(ctx, work, pairing, { key, inbox, inbox_created: false, client_name });
    return { inbox, key, api_key };
  });
}

/** Uses the code up in the transaction that creates the key, and tells those in charge. */
async function use(
  ctx: PublicContext,
  work: Work,
  { id, code_mac }: PairingRecord,
  {
    key,
    inbox,
    inbox_created,
    client_name,
  }: {
    key: KeyRecord;
    inbox: InboxRecord;
    inbox_created: boolean;
    client_name: string | undefined;
  },
): Promise<void> {
  const { now, caller } = ctx;
  const { account_id } = inbox;
  const [used] = await work.update(
    "pairings",
    { id, code_mac },
    {
      code_mac: null,
      account_id,
      inbox_id: inbox.id,
      inbox_created,
      key_id: key.id,
      client_name: client_name ?? null,
      network: askedFrom({ ip: caller.ip }).network,
      paired_at: iso(now),
      kept_until: iso(new Date(now.getTime() + LIMITS.pairing_kept_ms)),
    },
  );
  if (used === undefined || code_mac === null) throw invalid();
  const pairing = Pairing.parse({ ...used, status: "paired" });
  work.publish({ type: "owner.paired", inbox_id: inbox.id, data: { pairing, key: Key.parse(key) } });
  const charge = await authoritiesOver(ctx, work, { account_id, inbox_id: inbox.id });
  for (const to of new Set(charge.map(({ email }) => email)))
    work.job({ kind: "pairing.letter", subject_id: id, payload: { account_id, to } });
}

const invalid = (): LetterslotError => fail("pairing_invalid", { param: "code" });

/** Makes a code invalid when its person has lost the right that it stands for. */
function lost(error: unknown): never {
  throw error instanceof LetterslotError ? invalid() : error;
}

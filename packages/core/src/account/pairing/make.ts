import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Permission } from "../../catalogue/permissions.ts";
import { type OwnerCaller, reachesInbox } from "../../kernel/access/caller.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { countOrFail, freeSlot, takeSlot } from "../../kernel/rate.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { Budget } from "../../model/budgets.ts";
import { iso } from "../../model/fields.ts";
import type { SendMode } from "../../model/outbound.ts";
import type { PairingRecord } from "../../model/pairings.ts";
import { ownerCaller } from "../../owners/sessions/index.ts";
import { checkOnboarding } from "../accounts/rules.ts";
import { newCode, permissionsGiven, speaksNow, spelledOut } from "./rules.ts";

/** The rights and the inbox that a person offers an agent. */
export interface PairingRequest {
  /** The inbox that the key is for; undefined for a new one in an account of its own. */
  inbox_id: string | undefined;
  permissions: readonly Permission[] | undefined;
  send_mode: SendMode | undefined;
  budget: Budget | null;
}

/** The purpose of the MAC under which codes are found. */
export const CODE_PURPOSE = "pairing code";

/** The five places that a person's open codes take. */
const placesOf = (email: string): string => `pairing:${hashSecret(email)}`;

/**
 * Makes a code for a person. Fails with `recent_sign_in_required`, `onboarding_closed`, `permission_escalation`,
 * `inbox_not_found`, `rate_limited` or `pairing_limit`.
 */
export async function makeCode(
  services: Services,
  { email, session_id, ip }: OwnerCaller,
  { inbox_id, permissions, send_mode, budget }: PairingRequest,
  now: Date,
): Promise<{ pairing: PairingRecord; code: string }> {
  const { storage, options, seal } = services;
  // If the embedding program vouches for the person, there is no session to be too old.
  if (session_id !== null) {
    const session = await storage.get("sessions", session_id);
    if (session === undefined || !speaksNow(session, now))
      throw fail("recent_sign_in_required", {
        message: "Letting an agent in needs a sign-in made within the last 24 hours.",
      });
  }
  if (inbox_id !== undefined && send_mode !== undefined)
    throw fail("invalid_request", {
      param: "send_mode",
      message: "send_mode is for a new inbox; this one has its own.",
      fix: "Leave it out, or change the inbox with PATCH /api/v1/inboxes/:id.",
    });
  if (inbox_id === undefined) {
    checkOnboarding(options.onboarding, "person");
    if (!(await isOutside(services, storage, email))) throw fail("owner_required");
  }
  const giver =
    inbox_id === undefined ? undefined : await ownerCaller(services, { email, session_id, ip }, { inbox_id });
  if (giver !== undefined && !reachesInbox(giver, inbox_id ?? null))
    throw notFound("inbox_not_found", "inb", inbox_id ?? "");
  const given = permissionsGiven(permissions, giver?.permissions ?? null);
  const name = `pairings:${hashSecret(email)}`;
  await countOrFail(storage, { name, max: LIMITS.pairings_per_person_day, window_ms: 24 * 3600_000 }, now);
  const id = services.makeId("par");
  const place = { name: placesOf(email), slots: LIMITS.open_pairings, lease_ms: LIMITS.pairing_code_ms };
  if ((await takeSlot(storage, { ...place, holder: id }, now)) === undefined) throw fail("pairing_limit");
  const code = newCode();
  const expires_at = iso(new Date(now.getTime() + LIMITS.pairing_code_ms));
  const pairing: PairingRecord = {
    id,
    email,
    code_mac: seal.mac(CODE_PURPOSE, code),
    account_id: giver?.account_id ?? null,
    inbox_id: inbox_id ?? null,
    inbox_created: false,
    permissions: given,
    send_mode: inbox_id === undefined ? (send_mode ?? "guarded") : null,
    budget,
    key_id: null,
    client_name: null,
    network: null,
    created_at: iso(now),
    expires_at,
    paired_at: null,
    undone_at: null,
    kept_until: iso(new Date(now.getTime() + LIMITS.pairing_kept_ms)),
  };
  await storage.insert("pairings", pairing);
  return { pairing, code: spelledOut(code) };
}

/** Frees the place that an open code took. */
export async function freePlace(
  { storage }: Pick<Services, "storage">,
  { id, email }: Pick<PairingRecord, "id" | "email">,
): Promise<void> {
  for (let index = 0; index < LIMITS.open_pairings; index++)
    await freeSlot(storage, `${placesOf(email)}:${index}`, id);
}

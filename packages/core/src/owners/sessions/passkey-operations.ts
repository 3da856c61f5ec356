import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { Deleted, iso, listOf, wholeList } from "../../model/fields.ts";
import {
  Passkey,
  PasskeyAssertion,
  PasskeyMade,
  PasskeyOptions,
  type PasskeyRecord,
} from "../../model/passkeys.ts";
import {
  countsFrom,
  creationOptions,
  newChallenge,
  passkeysOf,
  requestOptions,
  siteOf,
  takeChallenge,
  verifierOf,
} from "../passkeys/index.ts";
import {
  confirmChange,
  confirmingPasskeys,
  letterJob,
  recentSession,
  removePasskey,
  trustedPasskeys,
} from "./passkeys.ts";

const HOUR_MS = 3600_000;

/** The operations on a person's passkeys, in their own session; no key or app has any part in it. */
export const passkeys = {
  options: operation({
    summary:
      "Starts to add a passkey, in a session of at most 10 minutes: what the browser needs to make it. Where an inbox asks for passkeys, also what an older one signs to confirm it.",
    when: "A page of your own on which a person adds a passkey, or confirms that one is removed.",
    errors: ["recent_sign_in_required", "passkeys_unavailable"],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: PasskeyOptions,
    async run(ctx) {
      const person = signedIn(ctx.caller);
      verifierOf(ctx);
      const { id: session_id } = await recentSession(ctx, person);
      const { email } = person;
      const all = await passkeysOf(ctx.storage, email);
      const added = await newChallenge(ctx, { purpose: "add", session_id }, ctx.now);
      const among = await confirmingPasskeys(ctx, email, ctx.now);
      // Also for those who needn't: a passkey that an older one confirms counts at once.
      const { counting: able } = await trustedPasskeys(ctx, email, ctx.now);
      const counting = among.length > 0 ? among : able;
      const confirmed =
        counting.length === 0
          ? undefined
          : await newChallenge(ctx, { purpose: "confirm", session_id }, ctx.now);
      return {
        // Who has as many as they may have still needs `get` to remove one.
        create:
          all.length >= LIMITS.passkeys_per_person
            ? null
            : creationOptions(ctx, { email, challenge: added.challenge, passkeys: all }),
        get:
          confirmed === undefined
            ? null
            : requestOptions(ctx, { challenge: confirmed.challenge, passkeys: counting }),
        expires_at: added.expires_at,
      };
    },
  }),

  create: operation({
    summary:
      "Adds a passkey that the browser made, in a session of at most 10 minutes. It signs in at once; for decisions it counts after 24 hours, or at once if an older one confirms it. The person is told by email.",
    when: "Finish adding a passkey.",
    example: {
      passkey: {
        ...{ id: "Rm9yIGRvY3M", rawId: "Rm9yIGRvY3M", type: "public-key" },
        response: {
          clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
          attestationObject: "o2NmbXRkbm9uZQ",
        },
      },
      name: "My phone",
    },
    errors: [
      ...(["recent_sign_in_required", "passkeys_unavailable", "passkey_limit"] as const),
      ...(["passkey_invalid", "passkey_required"] as const),
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      passkey: PasskeyMade.describe("What the browser made."),
      name: z
        .string()
        .trim()
        .min(1)
        .max(LIMITS.passkey_name_chars)
        .default("Passkey")
        .describe("What the person calls it, such as the device's name."),
      confirm: PasskeyAssertion.optional().describe("What an older passkey signed, of `get` of the options."),
    }),
    output: Passkey,
    async run(ctx, { passkey: response, name, confirm }) {
      const person = signedIn(ctx.caller);
      const verifier = verifierOf(ctx);
      const { id: session_id, email } = await recentSession(ctx, person);
      const among = await confirmingPasskeys(ctx, email, ctx.now);
      const older = await passkeysOf(ctx.storage, email);
      if (older.length >= LIMITS.passkeys_per_person) throw fail("passkey_limit");
      const { counting, trusted } = await trustedPasskeys(ctx, email, ctx.now);
      const by =
        among.length > 0 || (confirm !== undefined && counting.length > 0)
          ? await confirmChange(ctx, person, confirm, among.length > 0 ? among : counting)
          : undefined;
      // One whose counting was ended somewhere makes no other count there.
      const confirmed = trusted.some(({ id }) => id === by?.id);
      const client_data = response.response.clientDataJSON;
      const { challenge } = await takeChallenge(ctx, client_data, { purpose: "add", session_id }, ctx.now);
      const made = await verifier.register({ response, challenge, ...siteOf(ctx) });
      if (made === undefined) throw fail("passkey_invalid", { param: "passkey" });
      const { jwk, ...key } = made;
      const record: PasskeyRecord = {
        ...{ ...key, jwk: { ...jwk }, id: ctx.makeId("pky"), email, name },
        ...{ created_at: iso(ctx.now), counts_from: countsFrom(confirmed, ctx.now), last_used_at: null },
      };
      await ctx.storage.transaction(async (tx) => {
        const { inserted } = await tx.insert("passkeys", record);
        if (!inserted) throw fail("passkey_invalid", { param: "passkey" });
        tx.append("jobs", [letterJob(ctx, { email, name, what: "added", subject_id: record.id }, ctx.now)]);
      });
      await ctx.queue.send(ctx.now);
      return Passkey.parse(record);
    },
  }),

  list: operation({
    summary: "Lists the person's passkeys, oldest first.",
    when: "Show a person with which devices they can sign in and decide.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: listOf(Passkey),
    async run(ctx) {
      const found = await passkeysOf(ctx.storage, signedIn(ctx.caller).email);
      return wholeList(found.map((passkey) => Passkey.parse(passkey)));
    },
  }),

  delete: operation({
    summary:
      "Removes a passkey, in a session of at most 10 minutes. One that counts for decisions takes the signature of one that does. The person is told by email.",
    when: "Remove the passkey of a device that is given away or lost.",
    example: { passkey_id: "pky_01kab3x9t2m4v6w8y0z5" },
    errors: ["recent_sign_in_required", "passkey_not_found", "passkey_required", "passkey_invalid"],
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      passkey_id: IdInput.describe("The passkey's id."),
      confirm: z
        .string()
        .max(LIMITS.passkey_header_chars)
        .optional()
        .describe(
          "What a passkey signed, of `get` of the options: its JSON in base64url. Needed for one that counts.",
        ),
    }),
    output: Deleted("passkey"),
    async run(ctx, { passkey_id, confirm }) {
      const person = signedIn(ctx.caller);
      const passkey = await ctx.storage.get("passkeys", passkey_id);
      if (passkey === undefined || passkey.email !== person.email)
        throw notFound("passkey_not_found", "pky", passkey_id);
      await recentSession(ctx, person);
      const { counting, trusted } = await trustedPasskeys(ctx, person.email, ctx.now);
      if (counting.some(({ id }) => id === passkey_id))
        await confirmChange(ctx, person, readConfirm(confirm), trusted.length > 0 ? trusted : counting);
      if (!(await removePasskey(ctx, passkey, "removed", ctx.now)))
        throw notFound("passkey_not_found", "pky", passkey_id);
      return { id: passkey_id };
    },
  }),
};

/** The operation with which signing in by passkey begins. */
export const passkeySignIn = {
  passkeyOptions: operation({
    summary: "Starts to sign a person in with a passkey: what the browser needs. The same for everybody.",
    when: "Offer a person to sign in without a code.",
    errors: ["passkeys_unavailable", "rate_limited"],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: ["public", "owner"],
    input: z.object({}),
    output: PasskeyOptions,
    async run(ctx) {
      verifierOf(ctx);
      const { ip } = ctx.caller;
      if (ip !== null) {
        const rate = {
          name: `passkeys:${addressGroup(ip)}`,
          max: LIMITS.passkey_options_per_hour,
          window_ms: HOUR_MS,
        };
        await countOrFail(ctx.storage, rate, ctx.now);
      }
      const asked = { purpose: "sign_in" as const, session_id: null };
      const { challenge, expires_at } = await newChallenge(ctx, asked, ctx.now);
      return { create: null, get: requestOptions(ctx, { challenge }), expires_at };
    },
  }),
};

/** An assertion as a header carries it. Fails with `passkey_invalid`. */
function readConfirm(confirm: string | undefined): PasskeyAssertion | undefined {
  if (confirm === undefined) return undefined;
  try {
    return PasskeyAssertion.parse(JSON.parse(Buffer.from(confirm, "base64url").toString("utf8")));
  } catch {
    throw fail("passkey_invalid", { param: "confirm" });
  }
}

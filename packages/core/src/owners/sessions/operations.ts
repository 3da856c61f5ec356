import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { AccountId, AuthorityId, InboxId, SessionId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOf } from "../../kernel/access/authority.ts";
import { SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import type { PublicContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { NotedAccount } from "../../model/accounts.ts";
import { Approval } from "../../model/approvals.ts";
import { Deleted, Email, iso, listOf, wholeList } from "../../model/fields.ts";
import { PasskeyAssertion } from "../../model/passkeys.ts";
import { Authority, Session, SessionStart, SessionSummary, UserAgent } from "../../model/people.ts";
import { endAuthority, requestAuthority } from "./authority.ts";
import { noteProvenAddress } from "./move-note.ts";
import { letterJob, recentSession } from "./passkeys.ts";
import { isRecent } from "./rules.ts";
import { showSession } from "./session.ts";
import { signIn, signInWithPasskey } from "./sign-in.ts";
import { startSession } from "./start-session.ts";

const Secret = z.string({ error: "session_invalid" }).max(200, { error: "session_invalid" });

/** A code as people type it, with or without spaces. */
const Code = z
  .string({ error: "session_invalid" })
  .max(40, { error: "session_invalid" })
  .transform((code) => code.replace(/\s/g, ""));

/** The operations on a person's sessions. */
export const sessions = {
  start: operation({
    summary:
      "Mails a person a sign-in code and a link. The answer is the same for every address; the challenge is a cookie too.",
    when: "Sign a person in: they get a letter with a code and a link.",
    example: { email: "olga@owner.example" },
    scope: "public",
    effect: "write",
    allow: "any",
    callers: ["public", "owner"],
    input: z.object({
      email: Email.describe("The person's address."),
      remember_token: Secret.optional().describe(
        "The token of an earlier sign-in in this browser; only lifts limits, and is a cookie too.",
      ),
      new: z
        .boolean()
        .default(false)
        .describe(
          "The person is new: the code is mailed to an address that is unknown here too, unless ONBOARDING is closed. The answer tells nothing.",
        ),
      user_agent: UserAgent.optional(),
    }),
    output: SessionStart,
    run: (ctx, { email, remember_token, user_agent = null, new: newcomers }) =>
      startSession(ctx, { email, remember_token, user_agent, newcomers, ip: ctx.caller.ip }, ctx.now),
  }),

  create: operation({
    summary:
      "Signs a person in with the code or the link's token of their letter, and the challenge, or with a passkey. The session is a cookie.",
    when: "Finish signing in, with the code of the letter and the challenge.",
    example: { email: "olga@owner.example", code: "123456" },
    errors: ["passkey_invalid", "passkeys_unavailable"],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: ["public", "owner"],
    // Its answer also has the tokens, from which the server makes cookies.
    already_shown: true,
    input: z.object({
      email: Email.optional().describe(
        "The person's address; with code, or to refuse another person's passkey.",
      ),
      code: Code.optional().describe("The six digits of the letter; with email."),
      token: Secret.optional().describe("The token of the letter's link; instead of email and code."),
      challenge: Secret.optional().describe("The challenge of the start; a cookie by default."),
      passkey: PasskeyAssertion.optional().describe(
        "What a passkey signed, of POST /owners/session/passkey/options; instead of the code or token and the challenge.",
      ),
      user_agent: UserAgent.optional(),
    }),
    output: Session,
    async run(ctx, { challenge, passkey, user_agent = null, ...proof }) {
      const place = { user_agent, ip: ctx.caller.ip };
      const { session, ...tokens } =
        passkey === undefined
          ? await signIn(ctx, { ...proof, challenge, ...place }, ctx.now)
          : await signInWithPasskey(ctx, { passkey, email: proof.email, ...place }, ctx.now);
      return { ...Session.parse(await showSession(ctx, session)), ...tokens };
    },
  }),

  get: operation({
    summary: "Shows the session, and what its person has authority over.",
    when: "See who is signed in, and what they have charge of.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: Session,
    async run(ctx) {
      const { email, session_id } = signedIn(ctx.caller);
      const session = session_id === null ? undefined : await ctx.storage.get("sessions", session_id);
      const now = iso(ctx.now);
      const vouched = {
        id: null,
        email,
        created_at: now,
        expires_at: now,
        user_agent: null,
        last_seen_at: now,
      };
      return showSession(ctx, session ?? vouched);
    },
  }),

  end: operation({
    summary: "Signs out: ends the session that asks.",
    when: "Sign out.",
    errors: ["session_not_found"],
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: Deleted("session"),
    async run(ctx) {
      const { session_id } = signedIn(ctx.caller);
      if (session_id === null) throw fail("session_not_found");
      await ctx.storage.delete("sessions", { id: session_id });
      return { id: session_id };
    },
  }),

  list: operation({
    summary: "Lists the person's sessions, newest first.",
    when: "Show a person where they are signed in.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: listOf(SessionSummary),
    async run(ctx) {
      const { email, session_id } = signedIn(ctx.caller);
      const found = await ctx.storage.find("sessions", {
        where: { email },
        order: { by: "id", direction: "desc" },
        limit: LIMITS.sessions_shown,
      });
      const live = found.filter(({ expires_at }) => expires_at > iso(ctx.now));
      return wholeList(live.map((session) => ({ ...session, current: session.id === session_id })));
    },
  }),

  endOther: operation({
    summary: "Ends one of the person's sessions.",
    when: "Sign out a browser that was lost.",
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ session_id: SessionId }),
    output: Deleted("session"),
    async run(ctx, { session_id }) {
      const { email } = signedIn(ctx.caller);
      const session = await ctx.storage.get("sessions", session_id);
      if (session?.email !== email) throw notFound("session_not_found", "ses", session_id);
      await ctx.storage.delete("sessions", { id: session_id });
      return { id: session_id };
    },
  }),
};

/** The operation on the caller's own account that is available to its owners in session. */
export const notes = {
  update: operation({
    summary:
      "Notes another first address of the account, in a session that is at most 10 minutes old: while nobody has charge, only it may take charge.",
    when: "Say who takes charge if the account has no account owner any more, or give the noted address back.",
    example: { first_owner_email: "heidi@owner.example" },
    errors: ["owner_not_found", "address_is_inbox", "recent_sign_in_required"],
    scope: "account",
    effect: "write",
    patches: true,
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      first_owner_email: Email.describe(
        "The address of a verified owner of the account, or of a person with authority in it.",
      ),
    }),
    output: NotedAccount,
    async run(ctx, { first_owner_email: email }) {
      const { session_id } = signedIn(ctx.caller);
      // If the embedding program vouches for the person, there is no session to be too old.
      if (session_id !== null) {
        const session = await ctx.storage.get("sessions", session_id);
        if (session === undefined || !isRecent(session, ctx.now)) throw fail("recent_sign_in_required");
      }
      const { account_id, now } = ctx;
      return ctx.transaction((work) => noteProvenAddress(ctx, work, { account_id, email }, now));
    },
  }),
};

/** The operations on authority, in a person's own session; no key or app has any part in it. */
export const authority = {
  create: operation({
    summary:
      "Asks for authority over an account or an inbox. The account's first verified owner takes charge at once; for others the account owners decide.",
    when: "Take charge of a new account as its first owner, or ask those in charge for a part.",
    example: { inbox_id: "inb_01kab3x9t2m4v6w8y0z5" },
    errors: [
      "owner_required",
      "approval_limit",
      "approval_rejected",
      "account_not_found",
      "address_is_inbox",
    ],
    scope: "public",
    effect: "write",
    holds: true,
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      account_id: AccountId.describe("The account."),
      inbox_id: InboxId.nullable()
        .optional()
        .describe("The only inbox to have authority over; null or left out for the whole account."),
    }),
    output: z.union([Authority, Approval]),
    async run(ctx, { account_id, inbox_id = null }) {
      const { email } = signedIn(ctx.caller);
      const given = await requestAuthority(ctx, { email, account_id, inbox_id }, ctx.now);
      return "subject_type" in given ? given : { ...given, object: "authority" as const };
    },
  }),

  list: operation({
    summary: "Lists the person's authorities, and everybody's in the accounts that they are an owner of.",
    when: "See who has charge of what.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: listOf(Authority),
    run: async (ctx) => wholeList(await authoritiesSeenBy(ctx)),
  }),

  update: operation({
    summary:
      "Ends the counting of a person's passkeys in the account, as one of its account owners, in a session of at most 10 minutes: those that they have decide nothing there any more. They are told by email.",
    when: "A person's device was stolen, or somebody added a passkey that isn't theirs.",
    example: { passkeys: "off" },
    errors: ["authority_required", "recent_sign_in_required"],
    scope: "public",
    effect: "write",
    patches: true,
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      authority_id: AuthorityId,
      passkeys: z
        .literal("off")
        .describe("Always `off`. What the person adds from then on counts again, after 24 hours."),
    }),
    output: Authority,
    async run(ctx, { authority_id }) {
      const person = signedIn(ctx.caller);
      const found = (await authoritiesSeenBy(ctx)).find(({ id }) => id === authority_id);
      if (found === undefined) throw notFound("authority_not_found", "aut", authority_id);
      const own = await authoritiesOf(ctx, ctx.storage, person.email);
      if (!own.some(({ account_id, inbox_id }) => account_id === found.account_id && inbox_id === null))
        throw fail("authority_required");
      await recentSession(ctx, person);
      const { email } = found;
      const updated = await ctx.storage.transaction(async (tx) => {
        // All of the person's authorities in the account: each of them alone would let the passkey decide.
        const where = { account_id: found.account_id, email };
        const changed = await tx.update("authorities", where, { passkeys_off_at: iso(ctx.now) });
        const what = { email, name: person.email, what: "ended" as const, subject_id: authority_id };
        tx.append("jobs", [letterJob(ctx, what, ctx.now)]);
        return changed.find(({ id }) => id === authority_id);
      });
      await ctx.queue.send(ctx.now);
      return Authority.parse(updated ?? found);
    },
  }),

  delete: operation({
    summary: "Ends an authority: one's own, or as an account owner anybody's in the account.",
    when: "Give up authority, or take it from somebody.",
    errors: ["owner_required"],
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ authority_id: AuthorityId }),
    output: Deleted("authority"),
    async run(ctx, { authority_id }) {
      const found = (await authoritiesSeenBy(ctx)).find(({ id }) => id === authority_id);
      if (found === undefined) throw notFound("authority_not_found", "aut", authority_id);
      await endAuthority(ctx, found, ctx.now);
      return { id: authority_id };
    },
  }),
};

async function authoritiesSeenBy(ctx: PublicContext) {
  const { email } = signedIn(ctx.caller);
  const own = await authoritiesOf(ctx, ctx.storage, email);
  const seen = new Map(own.map((each) => [each.id, each]));
  for (const { account_id } of own.filter(({ inbox_id }) => inbox_id === null)) {
    const all = await ctx.storage.find("authorities", {
      where: { account_id },
      order: { by: "id", direction: "asc" },
      limit: LIMITS.list_max,
    });
    for (const each of all) seen.set(each.id, each);
  }
  return [...seen.values()];
}

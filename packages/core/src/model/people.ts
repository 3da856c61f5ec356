import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** What a person may decide: everything of an account, or of one of its inboxes. No key ever writes it. */
export const Authority = z.object({
  object: z.literal("authority").default("authority"),
  id: z.string(),
  account_id: z.string(),
  /** Null: the whole account. */
  inbox_id: z.string().nullable(),
  email: z.string(),
  since: Timestamp,
  /** The address of the account owner who decided it, the person's own for a first account owner, or `operator`. */
  given_by: z.string(),
});
export type Authority = z.infer<typeof Authority>;

/** An authority as stored. */
export const AuthorityRecord = Authority.omit({ object: true });
export type AuthorityRecord = z.infer<typeof AuthorityRecord>;

/** A browser or program that is signed in as a person, as stored. The cookie is stored only as its hash. */
export const SessionRecord = z.object({
  id: z.string(),
  token_hash: z.string(),
  email: z.string(),
  /** What the browser calls itself. */
  user_agent: z.string().nullable(),
  created_at: Timestamp,
  /** Written at most once a minute. */
  last_seen_at: Timestamp,
  /** 30 days after it was last seen, and at most 90 days after it was made. */
  expires_at: Timestamp,
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** An attempt to sign in: who knows its secret may try the code of the letter. */
export const SessionChallengeRecord = z.object({
  id: z.string(),
  challenge_hash: z.string(),
  email: z.string(),
  /** An encrypted hash; null until the letter is written, and for good when nobody is to get one. */
  code_hash: z.string().nullable(),
  link_hash: z.string().nullable(),
  tries: z.int(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type SessionChallengeRecord = z.infer<typeof SessionChallengeRecord>;

/** A browser or a network in which a person signed in before; it only lifts limits. */
export const RememberedBrowserRecord = z.object({
  hash: z.string(),
  email: z.string(),
  expires_at: Timestamp,
});
export type RememberedBrowserRecord = z.infer<typeof RememberedBrowserRecord>;

/** The answer to every attempt to sign in, whoever the address belongs to. */
export const SessionStart = z.object({
  object: z.literal("session_start").default("session_start"),
  challenge: z.string(),
  expires_at: Timestamp,
});

/** A session, and what its person has authority over. */
export const Session = z.object({
  object: z.literal("session").default("session"),
  id: z.string().nullable(),
  email: z.string(),
  accounts: z.array(z.object({ id: z.string(), account_owner: z.boolean() })),
  inboxes: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      account_id: z.string(),
      workspace: z.string().nullable(),
    }),
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Session = z.infer<typeof Session>;

/** A new session with its secrets, which the server turns into cookies and never shows. */
export const NewSession = Session.extend({
  session_token: z.string(),
  remember_token: z.string(),
});
export type NewSession = z.infer<typeof NewSession>;

/** One of a person's sessions. */
export const SessionSummary = SessionRecord.omit({ token_hash: true }).extend({
  object: z.literal("session_summary").default("session_summary"),
  /** It is the one that asks. */
  current: z.boolean(),
});

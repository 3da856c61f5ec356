import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** The browser's own description of itself. */
export const UserAgent = z
  .string()
  .max(1_000)
  .describe("What the browser calls itself; its User-Agent header by default.");

/** A person's right to decide: about everything in an account, or about one of its inboxes. No key ever writes it. */
export const Authority = z.object({
  object: z.literal("authority").default("authority"),
  id: z.string().describe("The authority's id."),
  account_id: z.string().describe("The account that it covers."),
  inbox_id: z.string().nullable().describe("The only inbox that it covers; null for the whole account."),
  email: z.string().describe("The person who has it."),
  since: Timestamp.describe("When it was given (ISO 8601, UTC)."),
  given_by: z
    .string()
    .describe(
      "Who gave it: the address of an account owner, the person's own for the first one, or `operator`.",
    ),
  passkeys_off_at: Timestamp.nullable()
    .default(null)
    .describe(
      "When an account owner ended the counting of the person's passkeys: those added before count for no decision here. Null unless one did.",
    ),
});
export type Authority = z.infer<typeof Authority>;

/** An authority as stored. */
export const AuthorityRecord = Authority.omit({ object: true }).extend({
  passkeys_off_at: Timestamp.nullable().describe(
    "When the counting of the person's passkeys was ended; null unless it was.",
  ),
});
export type AuthorityRecord = z.infer<typeof AuthorityRecord>;

/** A browser or program that is signed in as a person, as stored. The cookie is stored only as its hash. */
export const SessionRecord = z.object({
  id: z.string().describe("The session's id."),
  token_hash: z.string().describe("SHA-256 of the cookie."),
  email: z.string().describe("The person's address."),
  user_agent: z.string().nullable().describe("What the browser calls itself; null if it doesn't."),
  created_at: Timestamp.describe("When the person signed in (ISO 8601, UTC)."),
  last_seen_at: Timestamp.describe("When it was last used, to within a minute."),
  expires_at: Timestamp.describe(
    "When it ends if it isn't used: 30 days after its last use, at most 90 after sign-in.",
  ),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** An attempt to sign in: who knows its secret may try the code of the letter. */
export const SessionChallengeRecord = z.object({
  id: z.string().describe("The attempt's id."),
  challenge_hash: z.string().describe("SHA-256 of the secret that the browser holds."),
  email: z.string().describe("The person's address."),
  code_hash: z
    .string()
    .nullable()
    .describe(
      "An encrypted hash of the code; null until the letter is written, and permanently if no letter is to be sent.",
    ),
  link_hash: z.string().nullable().describe("SHA-256 of the token of the letter's link; null like the code."),
  code_voided_at: Timestamp.nullable().describe(
    "When the code was made void because its letter came to an inbox of this service; null unless it was.",
  ),
  tries: z.int().describe("How often a wrong code was entered."),
  created_at: Timestamp.describe("When the attempt began (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When the attempt is over."),
});
export type SessionChallengeRecord = z.infer<typeof SessionChallengeRecord>;

/** A browser or a network in which a person signed in before; it only lifts limits. */
export const RememberedBrowserRecord = z.object({
  hash: z.string().describe("SHA-256 of the browser's token, or of the network."),
  email: z.string().describe("The person who signed in there."),
  expires_at: Timestamp.describe("When it is forgotten."),
});
export type RememberedBrowserRecord = z.infer<typeof RememberedBrowserRecord>;

/** The answer to every attempt to sign in, whoever the address belongs to. */
export const SessionStart = z.object({
  object: z.literal("session_start").default("session_start"),
  challenge: z.string().describe("The secret to send back with the code; it is set as a cookie too."),
  expires_at: Timestamp.describe("When the code stops working: 15 minutes after it was asked for."),
});
export type SessionStart = z.infer<typeof SessionStart>;

/** A session, and what its person has authority over. */
export const Session = z.object({
  object: z.literal("session").default("session"),
  id: z
    .string()
    .nullable()
    .describe("The session's id; null when the program that embeds the service vouches for the person."),
  email: z.string().describe("The person's address."),
  accounts: z
    .array(
      z.object({
        id: z.string().describe("The account's id."),
        account_owner: z
          .boolean()
          .describe("Whether they have charge of the whole account, and not only of some of its inboxes."),
      }),
    )
    .describe("The accounts in which they have authority."),
  inboxes: z
    .array(
      z.object({
        id: z.string().describe("The inbox's id."),
        email: z.string().describe("The inbox's address."),
        account_id: z.string().describe("The account that it belongs to."),
        workspace: z
          .string()
          .nullable()
          .describe("The id of the workspace that it belongs to; null without one."),
      }),
    )
    .describe("The inboxes that they have authority over."),
  created_at: Timestamp.describe("When they signed in (ISO 8601, UTC)."),
  expires_at: Timestamp.describe(
    "When the session ends if it isn't used: 30 days after its last use, at most 90 after sign-in.",
  ),
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
  current: z.boolean().describe("Whether it is the session that asks."),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

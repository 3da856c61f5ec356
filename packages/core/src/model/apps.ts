import { z } from "zod";
import { Permission } from "../catalogue/permissions.ts";
import { Timestamp } from "./fields.ts";

/** The access that a person gave an app, as stored: to the whole account, or to one inbox. */
export const GrantRecord = z.object({
  id: z.string().describe("The grant's id."),
  account_id: z.string().describe("The account that the app was let into."),
  inbox_id: z
    .string()
    .nullable()
    .describe("The only inbox that the app reaches; null for the whole account."),
  client_id: z.string().describe("The app."),
  client_name: z.string().describe("What the app called itself when it was let in; empty if it has no name."),
  redirect_hosts: z.array(z.string()).describe("Where the app's answers go: host names, without paths."),
  scope: z.array(Permission).describe("What the app may do."),
  resource: z.string().describe("The address for which its tokens are valid."),
  given_by: z.string().describe("The person who let the app in."),
  connected_at: Timestamp.describe("When the app was let in (ISO 8601, UTC)."),
  last_refreshed_at: Timestamp.describe("When the app last got a token."),
  expires_at: Timestamp.describe("When its newest refresh token ends, and the grant with it."),
});
export type GrantRecord = z.infer<typeof GrantRecord>;

/** One grant of an app, within the row that summarises its app. */
const GrantPart = GrantRecord.pick({ id: true, inbox_id: true, connected_at: true }).extend({
  scope: z.string().describe("What it allows: permission names, separated by spaces."),
});

/** An app that has access, with all its grants summed up (interface, "OAuth grant"). */
export const Grant = z.object({
  object: z.literal("oauth_grant").default("oauth_grant"),
  id: z.string().describe("The id of the app's newest grant."),
  client_id: z.string().describe("The app's client id."),
  client_name: z.string().describe("What the app calls itself; empty if it has no name."),
  redirect_hosts: z.array(z.string()).describe("Where the app's answers go: host names, without paths."),
  scope: z
    .string()
    .describe("What the app may do in any of its grants: permission names, separated by spaces."),
  resource: z.string().describe("The address for which the newest grant's tokens are valid."),
  inbox_id: z
    .string()
    .nullable()
    .describe("The only inbox that the app reaches; null for the whole account, and when its grants differ."),
  connected_at: Timestamp.describe("When the app was first let in (ISO 8601, UTC)."),
  last_refreshed_at: Timestamp.describe("When the app last got a token."),
  active_tokens: z.int().describe("How many of its access and refresh tokens work now."),
  grants: z.array(GrantPart).describe("Each time that a person let the app in, newest first."),
});
export type Grant = z.infer<typeof Grant>;

/** An app that registered itself, as stored. It has no secret. */
export const OAuthClientRecord = z.object({
  id: z.string().describe("The client id."),
  metadata: z.record(z.string(), z.unknown()).describe("What it registered (RFC 7591), checked."),
  created_at: Timestamp.describe("When it registered (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When it is deleted unless it has a grant by then."),
});
export type OAuthClientRecord = z.infer<typeof OAuthClientRecord>;

/** A record of the authorization server: a request in progress, a code or a token, found only by its hash. */
export const OAuthRecord = z.object({
  hash: z.string().describe("SHA-256 of the kind and the code, token or id."),
  kind: z.string().describe("What it is, such as `AccessToken`."),
  grant_id: z.string().nullable().describe("The grant that it was issued for; null before there is one."),
  sealed_payload: z.string().describe("What is known of it, encrypted."),
  consumed_at: Timestamp.nullable().describe("When a code or a refresh token was used; null before."),
  expires_at: Timestamp.describe("When it ends."),
});
export type OAuthRecord = z.infer<typeof OAuthRecord>;

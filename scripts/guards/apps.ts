import { type Guard, guard } from "./guard.ts";

const apps = "packages/core/src/apps";
const oauth = "packages/oauth/src";
const tests = `${apps}/apps.test.ts`;
const http = "packages/server/src/http/oauth.test.ts";

/** What apps can do that people let in, and how they get in. */
export const appGuards: Guard[] = [
  guard(
    "an app's token is good for one resource",
    [
      `${apps}/authenticate.ts`,
      `if (aud !== \`\${options.base_url}\${resource}\`) throw fail("invalid_api_key");`,
    ],
    [tests, "has a token for one part of the service"],
  ),
  guard(
    "an app's token ends with its grant",
    [`${apps}/authenticate.ts`, 'if (grant === undefined) throw fail("invalid_api_key");'],
    [tests, "once its inbox is deleted"],
  ),
  guard(
    "an app's access ends with its giver's authority",
    ["packages/core/src/people/authority.ts", "await endGrantsWithoutAuthority(services, work, email, now);"],
    [tests, "once its giver's authority has ended"],
  ),
  guard(
    "an app held to an inbox sees no other apps",
    [
      `${apps}/operations.ts`,
      'if (caller.type !== "owner" && caller.inbox_ids !== null) throw fail("permission_denied");',
    ],
    [tests, "is closed to callers that are held to one inbox"],
  ),
  guard(
    "nobody gives an app an account by their authority over an inbox",
    [
      `${apps}/grant.ts`,
      'if (!reachesInbox(giver, inbox_id)) throw fail("permission_escalation", { param: "inbox_id" });',
    ],
    [tests, "the whole account"],
  ),
  guard(
    "an app gets no more than it asked for",
    [
      `${oauth}/oauth.ts`,
      'if (refused !== undefined) throw fail("permission_escalation", { param: refused });',
    ],
    [http, "gives the app no more than it asked for"],
  ),
  guard(
    "a request for access is answered once",
    [`${oauth}/oauth.ts`, 'if (taken.length === 0) throw fail("authorization_expired");'],
    [http, "counts once, in the browser that began"],
  ),
  guard(
    "a refresh token is renewed once",
    [`${oauth}/records.ts`, "hash: oauthHash(kind, id), consumed_at: null", "hash: oauthHash(kind, id)"],
    ["packages/server/src/http/oauth-races.test.ts", "renew a refresh token once"],
  ),
  guard(
    "a replaced refresh token that comes back ends the grant",
    [`${oauth}/records.ts`, "consumed: Math.floor(Date.parse(record.consumed_at) / 1000) };", "};"],
    [http, "that was replaced ends the grant"],
  ),
  guard(
    "an app's answer goes to no other machine over http",
    [`${oauth}/redirect-uris.ts`, 'return on_this_machine ? "native" : undefined;', 'return "native";'],
    [http, "http on another machine"],
  ),
  guard(
    "apps register no more than 20 times an hour from one address",
    [
      `${oauth}/oauth.ts`,
      '"register", ip);\n  if (!within) return tooMany(retry_after_seconds);',
      '"register", ip);\n  void [within, retry_after_seconds];',
    ],
    [http, "is limited to 20 an hour"],
  ),
  guard(
    "a document comes from no private network",
    ["packages/adapter-http/src/webhook-http.ts", "if (refusal !== null) return notFetched(refusal);"],
    ["packages/adapter-http/src/webhook-http.test.ts", "isn't fetched over http"],
  ),
];

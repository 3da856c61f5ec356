import type { Permission } from "../src/catalogue/permissions.ts";
import { newToken } from "../src/kernel/secrets.ts";
import type { GrantRecord } from "../src/model/apps.ts";
import { oauthHash, type Resource } from "../src/owners/oauth-grants/index.ts";
import type { Clock } from "../src/ports/clock.ts";
import type { TestAccount, TestService } from "./service.ts";

/** An app that a person let in, with the token that it calls with. */
export interface LetIn {
  grant: GrantRecord;
  access_token: string;
}

/**
 * Lets an app into an account, or into one of its inboxes, as a person with authority there would, and gives
 * it an access token for an hour.
 */
export async function letInApp(
  { letterslot, clock }: Pick<TestService<Clock>, "letterslot" | "clock">,
  { account_id }: Pick<TestAccount, "account_id">,
  app: {
    email: string;
    scope: readonly Permission[];
    inbox_id?: string;
    client_id?: string;
    resource?: Resource;
  },
): Promise<LetIn> {
  const { email, scope, inbox_id = null, client_id = "cli_test", resource: path = "/api/v1" } = app;
  const { services } = letterslot;
  const resource = `${services.options.baseUrl}${path}`;
  const client = { client_id, client_name: "Test app", redirect_hosts: ["app.example"] };
  const person = { email, session_id: null, ip: null };
  const grant = await letterslot.grantAccess(person, { account_id, inbox_id, scope, client, resource });
  const access_token = `ls_oat_${newToken()}`;
  await services.storage.insert("oauth_records", {
    hash: oauthHash("AccessToken", access_token),
    kind: "AccessToken",
    grant_id: grant.id,
    sealed_payload: services.seal.seal(JSON.stringify({ aud: resource, scope: grant.scope.join(" ") })),
    consumed_at: null,
    expires_at: new Date(clock.now().getTime() + 3600_000).toISOString(),
  });
  return { grant, access_token };
}

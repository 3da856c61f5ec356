import {
  askedPermissions,
  fail,
  iso,
  type Letterslot,
  LIMITS,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  type OAuth,
  oauthHash,
} from "@letterslot/core";
import type Provider from "oidc-provider";
import { readClientMetadata } from "./client-metadata.ts";
import { exchange, openExchange } from "./node-exchange.ts";
import { redirectHost } from "./redirect-uris.ts";
import { countRequest } from "./request-limits.ts";

/** Creates the authorization server of a service. Loads what it is made with when it is first needed. */
export function createOAuth(letterslot: Letterslot): OAuth {
  const { services } = letterslot;
  const { base_url } = services.options;
  let loading: Promise<Provider> | undefined;
  const load = () => {
    loading ??= import("./provider.ts").then(({ createProvider }) => createProvider(letterslot));
    return loading;
  };

  const waiting = async (request: Request) => {
    const provider = await load();
    const { req, res } = await openExchange(request, base_url, null);
    const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
    const id = new URL(request.url).pathname.split("/").at(-1);
    if (interaction === undefined || interaction.uid !== id || interaction.result !== undefined)
      throw fail("authorization_expired");
    const answer = async (result: object) =>
      new Response(null, {
        status: 303,
        headers: {
          location: await provider.interactionResult(req, res, result as never),
          "cache-control": "no-store",
        },
      });
    return { provider, interaction, answer };
  };

  const describe: OAuth["describe"] = async (request) => {
    const { provider, interaction } = await waiting(request);
    const { client_id, redirect_uri, resource, scope } = interaction.params as Record<string, string>;
    const client = await provider.Client.find(client_id ?? "");
    if (client === undefined || redirect_uri === undefined) throw fail("authorization_expired");
    return {
      id: interaction.uid,
      client_id: client.clientId,
      client_name: client.clientName ?? "",
      redirect_uri,
      redirect_host: redirectHost(redirect_uri),
      resource: resource ?? "",
      permissions: askedPermissions(scope),
    };
  };

  /** Takes the request, so that it is answered once; `give_back` undoes it when the answer fails. */
  const take = async (id: string) => {
    const { storage, clock } = services;
    const hash = oauthHash("Interaction", id);
    const taken = await storage.update(
      "oauth_records",
      { hash, consumed_at: null },
      { consumed_at: iso(clock.now()) },
    );
    if (taken.length === 0) throw fail("authorization_expired");
    return () => storage.update("oauth_records", { hash }, { consumed_at: null });
  };

  return {
    async handle(request, ip) {
      const path = new URL(request.url).pathname;
      if (path.endsWith(OAUTH_PATHS.registration)) return register(letterslot, request, ip);
      const asked = path.endsWith(OAUTH_PATHS.authorization)
        ? await authorization(letterslot, request, ip)
        : request;
      if (asked instanceof Response) return asked;
      return withoutSession(await exchange((await load()).callback(), asked, base_url, ip));
    },
    describe,
    async allow(request, person, { account_id, inbox_id, permissions }) {
      const asked = await describe(request);
      const refused = permissions.find((name) => !asked.permissions.includes(name));
      if (refused !== undefined) throw fail("permission_escalation", { param: refused });
      const { answer } = await waiting(request);
      const giveBack = await take(asked.id);
      try {
        const grant = await letterslot.grantAccess(person, {
          account_id,
          inbox_id,
          scope: permissions,
          resource: asked.resource,
          client: {
            client_id: asked.client_id,
            client_name: asked.client_name,
            redirect_hosts: [asked.redirect_host],
          },
        });
        return await answer({ login: { accountId: person.email }, consent: { grantId: grant.id } });
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
    async deny(request) {
      const { interaction, answer } = await waiting(request);
      await take(interaction.uid);
      return answer({ error: "access_denied", error_description: "The person refused." });
    },
  };
}

/** The parameters of an authorization request that count; others are ignored (RFC 6749, section 3.1). */
const PARAMETERS = [
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
];

/** The request as the authorization server takes it: with known scope words, and always with a resource. */
async function authorization({ services }: Letterslot, request: Request, ip: string | null) {
  const url = new URL(request.url);
  if (url.search.length > LIMITS.oauth_request_bytes)
    return oauthError(400, "invalid_request", "The request is too long.");
  const { within, retry_after_seconds } = await countRequest(services, "authorize", ip);
  if (!within) return tooMany(retry_after_seconds);
  const given = url.searchParams;
  const taken = new URLSearchParams();
  for (const name of PARAMETERS) for (const value of given.getAll(name)) taken.append(name, value);
  if (!taken.has("resource")) taken.set("resource", `${services.options.base_url}${OAUTH_RESOURCES[0]}`);
  if (given.get("prompt") === "none") taken.set("prompt", "none");
  taken.set("scope", askedPermissions(given.get("scope") ?? undefined).join(" "));
  url.search = taken.toString();
  return new Request(url, { headers: request.headers });
}

/** Registers an app (RFC 7591). It is a public client, whatever it asks for. */
async function register({ services }: Letterslot, request: Request, ip: string | null): Promise<Response> {
  const { storage, clock, makeId } = services;
  const { within, retry_after_seconds } = await countRequest(services, "register", ip);
  if (!within) return tooMany(retry_after_seconds);
  const metadata = readClientMetadata(await request.json().catch(() => null));
  if ("error" in metadata) return oauthError(400, metadata.error, metadata.error_description);
  const now = clock.now();
  const id = makeId("cli");
  const expires_at = iso(new Date(now.getTime() + LIMITS.oauth_unused_client_kept_ms));
  await storage.insert("oauth_clients", { id, metadata: { ...metadata }, created_at: iso(now), expires_at });
  const client_id_issued_at = Math.floor(now.getTime() / 1000);
  return Response.json(
    { client_id: id, client_id_issued_at, ...metadata },
    { status: 201, headers: NO_STORE },
  );
}

const NO_STORE = { "cache-control": "no-store" };

const tooMany = (retry_after_seconds: number): Response =>
  oauthError(429, "temporarily_unavailable", "Too many requests of this kind.", {
    "retry-after": String(retry_after_seconds),
  });

const oauthError = (status: number, error: string, error_description: string, headers = {}): Response =>
  Response.json({ error, error_description }, { status, headers: { ...NO_STORE, ...headers } });

/** There are no sessions at the authorization server, so that nothing is answered from an earlier one. */
function withoutSession(response: Response): Response {
  const cookies = response.headers.getSetCookie().filter((line) => !line.startsWith("ls_oauth_session"));
  response.headers.delete("set-cookie");
  for (const line of cookies) response.headers.append("set-cookie", line);
  return response;
}

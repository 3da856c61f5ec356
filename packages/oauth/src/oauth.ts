import { type Letterslot, LIMITS } from "@letterslot/core";
import { askedPermissions, iso, OAUTH_PATHS, type OAuth, oauthHash } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type Provider from "oidc-provider";
import { createBrowserCookies } from "./browser-cookies.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { exchange, openExchange } from "./node-exchange.ts";
import { redirectHost } from "./redirect-uris.ts";
import { countRequest } from "./request-limits.ts";
import { defaultResource, resourceMeant, withResourceMeant } from "./resources.ts";

/** Creates the authorization server of a service. Loads its library on first use. */
export function createOAuth(letterslot: Letterslot): OAuth {
  const { services } = letterslot;
  const { baseUrl: base_url } = services.options;
  let loading: Promise<Provider> | undefined;
  const load = () => {
    loading ??= import("./provider.ts").then(({ createProvider }) => createProvider(letterslot));
    return loading;
  };

  const cookies = createBrowserCookies(base_url, LIMITS.oauth_authorization_ms);

  const waiting = async (request: Request) => {
    const provider = await load();
    const { req, res } = await openExchange(cookies.toProvider(request), base_url, null);
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
      const run = async (asked: Request) => exchange((await load()).callback(), asked, base_url, ip);
      if (path.endsWith(OAUTH_PATHS.token)) return run(await withResourceMeant(base_url, request));
      if (!path.includes(OAUTH_PATHS.authorization)) return run(request);
      const begins = path.endsWith(OAUTH_PATHS.authorization);
      const asked = begins ? await authorization(letterslot, request, ip) : request;
      const answer = cookies.toBrowser(await run(cookies.toProvider(asked)), request);
      const leads_to = answer.headers.get("location") ?? "";
      if (begins && !leads_to.startsWith(`${base_url}${OAUTH_PATHS.consent}/`)) throw await refusalOf(answer);
      if (leads_to === "") throw fail("authorization_expired");
      return answer;
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
  if (url.search.length > LIMITS.oauth_request_bytes) throw refused("invalid_request: it is too long");
  const { within, retry_after_seconds } = await countRequest(services, "authorize", ip);
  if (!within) throw fail("rate_limited", { retry_after_seconds });
  const given = url.searchParams;
  const taken = new URLSearchParams();
  const { baseUrl: base_url } = services.options;
  for (const name of PARAMETERS)
    for (const value of given.getAll(name))
      taken.append(name, name === "resource" ? resourceMeant(base_url, value) : value);
  if (!taken.has("resource")) taken.set("resource", defaultResource(base_url));
  if (given.get("prompt") === "none") taken.set("prompt", "none");
  taken.set("scope", askedPermissions(given.get("scope") ?? undefined).join(" "));
  url.search = taken.toString();
  return new Request(url, { headers: request.headers });
}

/** Registers an app (RFC 7591), always as a public client. */
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

/** Returns the error that a person sees for a request that can't be answered. */
async function refusalOf(answer: Response): Promise<Error> {
  if (answer.status >= 500) return fail("internal_error");
  const said = (await answer.json().catch(() => ({}))) as { error?: string; error_description?: string };
  const { error = "invalid_request", error_description } = said;
  return refused(error_description === undefined ? error : `${error}: ${error_description}`);
}

const refused = (why: string): Error =>
  fail("authorization_invalid", {
    message: `The app asked for access in a way that can't be answered (${why}).`,
  });

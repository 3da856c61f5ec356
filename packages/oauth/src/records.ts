import { type GrantRecord, type Letterslot, LIMITS } from "@letterslot/core";
import { authorityBehind, endGrants, iso, oauthHash } from "@letterslot/core/internal";
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from "oidc-provider";

/**
 * Stores oidc-provider's records in Letterslot's storage, where every process finds them: keyed by hashes, with their
 * content encrypted. Grants are core's own records. There are no sessions: every authorization request asks the person
 * anew.
 */
export function createRecords({ services }: Pick<Letterslot, "services">): AdapterFactory {
  const factories: Record<string, () => Adapter> = {
    Client: () => clientsOf(services),
    Grant: () => grantsOf(services),
    Session: () => NOTHING,
  };
  return (kind) => factories[kind]?.() ?? recordsOf(services, kind);
}

type Services = Letterslot["services"];

const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** The apps that registered themselves. */
function clientsOf({ storage, clock }: Services): Adapter {
  return {
    ...NOTHING,
    async find(id) {
      const client = await storage.get("oauth_clients", id);
      if (client === undefined) return undefined;
      const unused = async () =>
        (await storage.find("oauth_grants", { where: { client_id: id }, limit: 1 })).length === 0;
      if (client.expires_at <= iso(clock.now()) && (await unused())) return undefined;
      return { ...(client.metadata as AdapterPayload), client_id: id };
    },
  };
}

/** Grants of people to apps; the grant of a person who has lost their authority doesn't count. */
function grantsOf(services: Services): Adapter {
  const { storage } = services;
  return {
    ...NOTHING,
    async find(id) {
      const grant = await storage.get("oauth_grants", id);
      if (grant === undefined || (await authorityBehind(services, storage, grant)) === undefined)
        return undefined;
      return payloadOfGrant(grant);
    },
    destroy: (id) => endGrant(services, id),
  };
}

const payloadOfGrant = (grant: GrantRecord): AdapterPayload => ({
  jti: grant.id,
  kind: "Grant",
  accountId: grant.given_by,
  clientId: grant.client_id,
  resources: { [grant.resource]: grant.scope.join(" ") },
});

const endGrant = ({ storage, clock }: Services, id: string): Promise<void> =>
  storage.transaction(async (tx) => void (await endGrants(tx, [{ id }], clock.now())));

/** Requests in progress, codes and tokens. */
function recordsOf(services: Services, kind: string): Adapter {
  const { storage, clock, seal } = services;
  return {
    ...NOTHING,
    async upsert(id, payload, expiresIn = 0) {
      const hash = oauthHash(kind, id);
      const expires_at = iso(new Date(clock.now().getTime() + expiresIn * 1000));
      const sealed_payload = seal.seal(JSON.stringify(payload));
      const grant_id = payload.grantId ?? null;
      await storage.transaction(async (tx) => {
        if (grant_id !== null) await touchGrant(services, tx, grant_id, kind, expires_at);
        const record = { hash, kind, grant_id, sealed_payload, consumed_at: null, expires_at };
        const { inserted } = await tx.insert("oauth_records", record);
        if (!inserted) await tx.update("oauth_records", { hash }, { sealed_payload, expires_at, grant_id });
      });
    },
    async find(id) {
      const now = clock.now();
      const record = await storage.get("oauth_records", oauthHash(kind, id));
      if (record === undefined || record.expires_at <= iso(now)) return undefined;
      const payload = JSON.parse(seal.open(record.sealed_payload)) as AdapterPayload;
      if (record.consumed_at === null) return payload;
      const age_ms = now.getTime() - Date.parse(record.consumed_at);
      // Two refreshes at once, or one that is repeated because its answer was lost, are no theft.
      if (kind === "RefreshToken" && age_ms < LIMITS.oauth_reuse_grace_ms) return undefined;
      return { ...payload, consumed: Math.floor(Date.parse(record.consumed_at) / 1000) };
    },
    async consume(id) {
      const unused = { hash: oauthHash(kind, id), consumed_at: null };
      const used = await storage.update("oauth_records", unused, { consumed_at: iso(clock.now()) });
      if (used.length === 0) throw new errors.InvalidGrant(`${kind} already used`);
    },
    async destroy(id) {
      const ended = await storage.delete("oauth_records", { hash: oauthHash(kind, id) });
      // If an answer has two ways back, only one gets a code.
      if (kind === "Interaction" && ended === 0) throw new errors.SessionNotFound("answered already");
    },
    revokeByGrantId: (grant_id) => endGrant(services, grant_id),
  };
}

/**
 * Notes in a grant that its app gets tokens, in the transaction that stores one: after the grant's end there is
 * none to store. Fails with `invalid_grant` then.
 */
async function touchGrant(
  { clock }: Services,
  tx: Pick<Services["storage"], "update">,
  id: string,
  kind: string,
  expires_at: string,
): Promise<void> {
  const change =
    kind === "RefreshToken"
      ? { expires_at, last_refreshed_at: iso(clock.now()) }
      : { last_refreshed_at: iso(clock.now()) };
  if ((await tx.update("oauth_grants", { id }, change)).length === 0)
    throw new errors.InvalidGrant("grant not found");
}

import { fail, type LetterslotError } from "@letterslot/core/ports";
import { isInZone, type ZoneNames, zoneCandidates } from "../zone-names.ts";
import type { Connection } from "./connection.ts";
import { type FoundRecord, foundRecord, sameName } from "./found-record.ts";
import { signMessage, TSIG_ERRORS, type TsigKey, verifyReply } from "./tsig.ts";
import { queryMessage, RCODES, type Reply, type TypeName, updateMessage, type WireRecord } from "./wire.ts";

/** A server's answer to an update: done, or the kind of prerequisite that failed. */
type Outcome = "done" | "name_in_use" | "name_not_in_use" | "set_exists" | "set_differs";

/** A connection on which the zone is known. */
export interface Session {
  /** The records of a name and type, as the server answers: also those of a wildcard. */
  find(name: string, type: TypeName): Promise<FoundRecord[]>;
  /** Sends a signed update, and checks that its answer is the server's. */
  update(prerequisites: readonly WireRecord[], updates: readonly WireRecord[]): Promise<Outcome>;
}

/** Finds the zone. Fails with `dns_zone_not_found`, or as the connection does. */
export async function startSession(connection: Connection, key: TsigKey, names: ZoneNames): Promise<Session> {
  const zone = await findZone(connection, names);
  return {
    async find(name, type) {
      if (!isInZone(name, zone)) throw fail("dns_zone_mismatch");
      const { answers } = await connection.ask((id) => queryMessage(id, name, type));
      return answers.flatMap((answer) => foundRecord(answer, name, type));
    },
    async update(prerequisites, updates) {
      const reply = await askSigned(connection, key, zone, (id) =>
        updateMessage(id, zone, prerequisites, updates),
      );
      return outcomeOf(reply);
    },
  };
}

/** The zone that has the domain, at a server that has the zone itself. */
async function findZone(connection: Connection, names: ZoneNames): Promise<string> {
  for (const candidate of zoneCandidates(names)) {
    const { rcode, authoritative, answers } = await connection.ask((id) =>
      queryMessage(id, candidate, "SOA"),
    );
    if (rcode === RCODES.SERVFAIL)
      throw fail("dns_provider_unreachable", { message: `The name server can't load ${candidate}.` });
    const has_zone = answers.some(({ type, name }) => type === "SOA" && sameName(name, candidate));
    if (authoritative && has_zone) return candidate;
  }
  throw fail("dns_zone_not_found", {
    message: `The name server doesn't have ${names.zone ?? `the zone of ${names.domain}`}.`,
    fix: "Check the zone's name, and that the server is the zone's primary one.",
  });
}

/** An answer that the key has signed; fails as the server's error says. */
async function askSigned(
  connection: Connection,
  key: TsigKey,
  zone: string,
  compose: (id: number) => Buffer,
): Promise<Reply> {
  const { reply, verified, error } = await exchange(connection, key, compose);
  if (error === TSIG_ERRORS.BADKEY) throw await refusedKey(connection, key, zone);
  if (error === TSIG_ERRORS.BADTIME)
    throw fail("dns_credentials_refused", {
      message: "The name server's clock and ours differ by more than five minutes.",
      fix: "Set the name server's clock; the operator of this service can check the other one.",
    });
  if (error !== 0)
    throw fail("dns_credentials_refused", { message: "The name server knows the key by another secret." });
  if (verified) return reply;
  if (reply.rcode === RCODES.REFUSED) throw mayNotUpdate();
  if (reply.rcode === RCODES.NOTAUTH) throw fail("dns_credentials_refused");
  throw fail("dns_provider_unreachable", { message: "The name server's answer isn't signed by the key." });
}

/** Some servers answer the same for a known key without rights to the zone as for an unknown one. */
async function refusedKey(connection: Connection, key: TsigKey, zone: string): Promise<LetterslotError> {
  const { verified } = await exchange(connection, key, (id) => queryMessage(id, zone, "SOA"));
  if (verified) return mayNotUpdate();
  return fail("dns_credentials_refused", {
    message: "The name server doesn't know the key, or doesn't let it update the zone.",
  });
}

/** Sends a signed message, and checks the signature of its answer. */
async function exchange(connection: Connection, key: TsigKey, compose: (id: number) => Buffer) {
  const now = Math.floor(Date.now() / 1000);
  let mac: Buffer = Buffer.alloc(0);
  const reply = await connection.ask((id) => {
    const signed = signMessage(compose(id), key, now);
    mac = signed.mac;
    return signed.bytes;
  });
  return { reply, ...verifyReply(reply, key, mac, now) };
}

const mayNotUpdate = () =>
  fail("dns_permission_missing", { message: "The name server doesn't let the key update the zone." });

const OUTCOMES: Record<number, Outcome> = {
  [RCODES.NOERROR]: "done",
  [RCODES.YXDOMAIN]: "name_in_use",
  [RCODES.NXDOMAIN]: "name_not_in_use",
  [RCODES.YXRRSET]: "set_exists",
  [RCODES.NXRRSET]: "set_differs",
};

function outcomeOf({ rcode }: Reply): Outcome {
  const outcome = OUTCOMES[rcode];
  if (outcome !== undefined) return outcome;
  if (rcode === RCODES.REFUSED) throw mayNotUpdate();
  if (rcode === RCODES.NOTAUTH) throw fail("dns_zone_not_found");
  if (rcode === RCODES.NOTZONE) throw fail("dns_zone_mismatch");
  if (rcode === RCODES.SERVFAIL)
    throw fail("dns_provider_unreachable", { message: "The name server failed to do the update." });
  throw fail("dns_record_refused", { message: `The name server does not take the update (code ${rcode}).` });
}

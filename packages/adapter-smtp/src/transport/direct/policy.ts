import { get } from "node:https";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { Dns } from "@letterslot/core/ports";
import { createBoundedMap } from "@letterslot/node-kit";
import type { MTASTSPolicy } from "mailauth";
import { addressesOf } from "./mail-hosts.ts";

/** A domain's requirements for senders of mail to it (MTA-STS, RFC 8461). */
export interface PolicyRules {
  /** Only hosts that `allows` names, over TLS with a certificate for their name. */
  enforced: boolean;
  allows(host: string): boolean;
}

/** The server that policies are fetched from, for tests. */
export interface PolicyHosts {
  port: number;
  /** PEM certificates to trust in place of the system's. */
  ca: string;
}

/** Policies kept at a time; beyond that the one that was fetched first is forgotten. */
const MAX_POLICIES = 1_000;
const MAX_POLICY_BYTES = 64 * 1024;
const FETCH_TIMEOUT_MS = 10_000;
const HTTPS_PORT = 443;
/** A policy that can't be fetched is tried again after this time. */
const RETRY_MS = 3_600_000;

/** Built into a package, a CommonJS module has its default export alone. */
const loadMtaSts = async () => (await import("mailauth/lib/mta-sts.js")).default;

const NO_POLICY: PolicyRules = { enforced: false, allows: () => true };

interface Kept {
  id: string;
  policy: MTASTSPolicy | undefined;
  /** In milliseconds of `now`. */
  expires: number;
}

/**
 * Looks up the policies of domains and caches them for their `max_age`. A domain whose policy can't be looked up has
 * none, unless a cached one hasn't expired. Policy hosts are connected to only at addresses that `isAllowed` accepts.
 * `now` is a monotonic clock in milliseconds.
 */
export function createPolicies(options: {
  dns: Dns;
  isAllowed: (address: string) => boolean;
  hosts?: PolicyHosts;
  now?: () => number;
}): (domain: string) => Promise<PolicyRules> {
  const { dns, isAllowed, hosts, now = () => performance.now() } = options;
  const kept = createBoundedMap<string, Kept>(MAX_POLICIES);

  function keep(domain: string, entry: Kept): Kept {
    kept.set(domain, entry);
    return entry;
  }

  async function current(domain: string): Promise<MTASTSPolicy | undefined> {
    const { parsePolicy, resolvePolicy } = await loadMtaSts();
    const known = kept.get(domain);
    const valid = known !== undefined && known.expires > now() ? known : undefined;
    const resolver = (name: string) => dns.resolve(name, "TXT");
    const id = await resolvePolicy(domain, { strict: true, resolver }).catch(() => false as const);
    if (id === false || id === valid?.id) return valid?.policy;
    try {
      const policy = parsePolicy(await fetchPolicy(domain), { strict: true });
      return keep(domain, { id, policy, expires: now() + (policy.maxAge ?? 0) * 1000 }).policy;
    } catch {
      if (valid?.policy !== undefined) return valid.policy;
      return keep(domain, { id, policy: undefined, expires: now() + RETRY_MS }).policy;
    }
  }

  async function fetchPolicy(domain: string): Promise<string> {
    const host = `mta-sts.${domain}`;
    const { addresses } = await addressesOf(dns, host);
    const usable = addresses.filter(isAllowed).map((address) => ({ address, family: isIP(address) }));
    const [first] = usable;
    if (first === undefined) throw new Error(`${host} has no public address`);
    const lookup: LookupFunction = (_, wanted, callback) =>
      wanted.all ? callback(null, usable) : callback(null, first.address, first.family);
    const trust = hosts === undefined ? {} : { ca: hosts.ca };
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const port = hosts?.port ?? HTTPS_PORT;
    const path = "/.well-known/mta-sts.txt";
    return new Promise((resolve, reject) => {
      const request = get({ host, port, path, lookup, signal, agent: false, ...trust }, (response) => {
        const type = (response.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
        if (response.statusCode !== 200 || type !== "text/plain")
          return void request.destroy(new Error(`${host} answers ${response.statusCode} as ${type}`));
        const chunks: Buffer[] = [];
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > MAX_POLICY_BYTES) request.destroy(new Error(`the policy of ${host} is too long`));
        });
        response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
        response.on("error", reject);
      });
      request.on("error", reject);
    });
  }

  return async (domain) => {
    const policy = await current(domain);
    if (policy?.mode !== "enforce") return NO_POLICY;
    const { validateMx } = await loadMtaSts();
    return { enforced: true, allows: (host) => validateMx(host, policy).valid };
  };
}

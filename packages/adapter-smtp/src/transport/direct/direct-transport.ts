import { networkInterfaces } from "node:os";
import {
  type Dns,
  isInNetworks,
  isPublicAddress,
  type OutgoingMail,
  type RecipientResult,
  type Transport,
} from "@letterslot/core/ports";
import { createCachedDns } from "../../sender/cached-dns.ts";
import { bytesToSend, type FindDkimKey } from "../dkim.ts";
import { inTurns } from "../in-turns.ts";
import { invalidAddress, resultsOfSend, type SmtpFailure, toDetail } from "../send-result.ts";
import { toWireAddress } from "../wire-address.ts";
import { readDirectUrl } from "./direct-url.ts";
import {
  createHostConnections,
  type HostAddress,
  type HostConnection,
  isTlsFailure,
} from "./host-connections.ts";
import {
  addressesOf,
  type Failure,
  findMailHosts,
  type MailHost,
  permanent,
  plainName,
  temporary,
} from "./mail-hosts.ts";
import { createPolicies, type PolicyHosts } from "./policy.ts";

/** Options for sending without a relay. */
export interface DirectTransportOptions {
  /** `mx:`, or `mx:?port=2525&allow=127.0.0.0/8` for tests and closed networks. */
  url: string;
  dns: Dns;
  /** Mail is sent unsigned without it. */
  dkim?: FindDkimKey;
  /**
   * The domain that this service receives mail for, also the host name for EHLO: the name that the address
   * of this machine resolves to. Mail is never sent to the hosts that this domain's MX records name.
   */
  mailDomain: string;
  /** For tests: where policies of MTA-STS are fetched, and the certificates that hosts are trusted by. */
  policies?: PolicyHosts;
}

const LOOKUP_TIMEOUT_MS = 10_000;
/** Addresses that one mail is tried at, over all hosts of a domain. */
const MAX_ADDRESSES = 6;

/** The recipients of a mail at one domain, each with the address for its host. */
interface Group {
  domain: string;
  wires: string[];
}

/**
 * Sends mail straight to the hosts of its recipients (RFC 5321, section 5), signed with DKIM if there is a key. Hosts
 * are tried by their MX records' priority, over IPv6 and then IPv4; connections are encrypted wherever the host
 * supports it, and required to be encrypted and verified where the domain demands it (MTA-STS). At most 20 connections
 * to a host are open; they are reused. A host's answer is final; the next host is tried only if one can't be reached or
 * turns us away before the mail. Private, loopback, link-local and reserved addresses and this service's own are never
 * connected to: a domain that has no others is a permanent failure.
 */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { dkim, mailDomain: mail_domain, policies } = options;
  const { port, allow } = readDirectUrl(options.url);
  const dns = createCachedDns({ dns: options.dns, timeoutMs: LOOKUP_TIMEOUT_MS });
  const connections = createHostConnections({
    name: mail_domain,
    ...(policies === undefined ? {} : { ca: policies.ca }),
  });
  const isAllowed = (address: string) =>
    isInNetworks(address, allow) || (isPublicAddress(address) && !isOfThisMachine(address));
  const policyOf = createPolicies({
    dns,
    isAllowed,
    ...(policies === undefined ? {} : { hosts: policies }),
  });

  async function send(mail: OutgoingMail): Promise<RecipientResult[]> {
    const recipients = mail.envelope.rcpt_to.map((recipient) => ({
      recipient,
      wire: toWireAddress(recipient),
    }));
    const from = mail.envelope.mail_from === "" ? "" : toWireAddress(mail.envelope.mail_from);
    const wires = recipients.flatMap(({ wire }) => (wire === null ? [] : [wire]));
    if (from === null || wires.length === 0)
      return recipients.map(({ recipient }) => invalidAddress(recipient));
    const answers = await sendToAll(mail, from, wires);
    return recipients.map(({ recipient, wire }) =>
      wire === null
        ? invalidAddress(recipient)
        : (answers.get(wire)?.(recipient, wire) ?? invalidAddress(recipient)),
    );
  }

  async function sendToAll(mail: OutgoingMail, from: string, wires: readonly string[]) {
    const answers = new Map<string, Answer>();
    const answerAll = (group: readonly string[], answer: Answer) => {
      for (const wire of group) answers.set(wire, answer);
    };
    try {
      const raw = await bytesToSend(mail, dkim);
      const own = await ownHosts();
      await Promise.all(
        groupsOf(wires).map(async (group) =>
          answerAll(group.wires, await sendToDomain(group, from, raw, own)),
        ),
      );
    } catch (error) {
      answerAll(
        wires.filter((wire) => !answers.has(wire)),
        resultsOfSend({ error }),
      );
    }
    return answers;
  }

  async function sendToDomain(
    { domain, wires }: Group,
    from: string,
    raw: readonly Uint8Array[],
    own: ReadonlySet<string>,
  ): Promise<Answer> {
    const found = await findMailHosts(dns, domain, (name) => own.has(name));
    if ("failure" in found) return failureForAll(found.failure);
    const reached = await connectTo(domain, found.hosts);
    if ("failure" in reached) return failureForAll(reached.failure);
    const { connection } = reached;
    try {
      return saidByHost(resultsOfSend({ sent: await connection.send({ from, to: wires }, inTurns(...raw)) }));
    } catch (error) {
      return saidByHost(resultsOfSend({ error }));
    } finally {
      connection.give();
    }
  }

  /** A connection to the first host of a domain that can be reached, or why there is none. */
  async function connectTo(
    domain: string,
    hosts: readonly MailHost[],
  ): Promise<{ connection: HostConnection } | { failure: Failure }> {
    const policy = await policyOf(domain);
    let failure: Failure | undefined;
    let tried = 0;
    for (const { name } of hosts) {
      if (!policy.allows(name)) {
        failure = temporary(`451 4.7.5 ${name} is no mail host by the MTA-STS policy of ${domain}`);
        continue;
      }
      const { addresses, trouble } = await addressesOf(dns, name);
      const usable = addresses.filter(isAllowed).slice(0, MAX_ADDRESSES - tried);
      if (trouble && usable.length === 0) failure = temporary(`451 4.4.3 DNS does not answer for ${name}`);
      const tls = policy.enforced ? "verified" : "opportunistic";
      for (const address of usable) {
        tried += 1;
        const result = await attempt({ host: name, address, port, tls });
        if ("connection" in result) return result;
        const { error } = result;
        const reason =
          policy.enforced && isTlsFailure(error)
            ? `451 4.7.5 the MTA-STS policy of ${domain} demands verified TLS: ${error.response ?? error.message}`
            : (error.response ?? error.message);
        failure = temporary(toDetail(`${reason} (${name})`));
      }
    }
    return { failure: failure ?? permanent(`550 5.4.4 no mail host of ${domain} has a public address`) };
  }

  async function attempt(to: HostAddress): Promise<{ connection: HostConnection } | { error: SmtpFailure }> {
    try {
      return { connection: await connections.take(to) };
    } catch (error) {
      return { error: error as SmtpFailure };
    }
  }

  /** Returns the names of the hosts that receive this service's own mail, according to DNS. */
  async function ownHosts(): Promise<ReadonlySet<string>> {
    const records = await dns.resolve(mail_domain, "MX").catch(() => []);
    return new Set([plainName(mail_domain), ...records.map(({ exchange }) => plainName(exchange))]);
  }

  return {
    name: "mx",
    send,
    close: async () => connections.close(),
  };
}

type Answer = (recipient: string, wire: string) => RecipientResult;

/** Marks what the recipient's own host said for good: that it took the mail, or refuses it. */
const saidByHost =
  (answer: Answer): Answer =>
  (recipient, wire) => {
    const result = answer(recipient, wire);
    return result.outcome === "temporary_failure" ? result : { ...result, said_by: "recipient_host" };
  };

const failureForAll =
  (failure: Failure): Answer =>
  (recipient) => ({ recipient, ...failure });

function groupsOf(wires: readonly string[]): Group[] {
  const domains = Map.groupBy(wires, (wire) => wire.slice(wire.lastIndexOf("@") + 1).toLowerCase());
  return [...domains].map(([domain, of_domain]) => ({ domain, wires: of_domain }));
}

function isOfThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((each) => each.address === address);
}

import { isIP } from "node:net";
import { isLoopbackClient } from "@letterslot/core/internal";
import { isInNetworks, networkList } from "@letterslot/core/ports";
import type { Context } from "hono";
import { isForwarded, requestHeader } from "./request-header.ts";

/**
 * Finds a request's client IP address; null where the runtime does not provide it. A loopback address is a
 * program on this machine that came through no proxy.
 */
export type ClientAddress = (c: Context) => string | null;

/**
 * The address for clients behind a local proxy that isn't trusted or doesn't name them: all count as one, and none as a
 * program on this machine (RFC 6890, "this host on this network").
 */
const UNKNOWN_CLIENT = "0.0.0.0";

/**
 * Finds client addresses: the socket's, or, behind trusted proxies, the nearest address in X-Forwarded-For
 * that is not in one of the trusted networks (`10.0.0.0/8`, `::1`). The header is ignored if the peer is not
 * a trusted proxy.
 */
export function clientAddressBehind(networks: readonly string[]): ClientAddress {
  const proxies = networkList(networks);
  const isProxy = (address: string) => networks.length > 0 && isInNetworks(address, proxies);
  const find: ClientAddress = (c) => {
    const peer = peerOf(c);
    if (peer === null || !isProxy(peer)) return peer;
    const forwarded = (requestHeader(c, "x-forwarded-for") ?? "")
      .split(",")
      .map((hop) => plainAddress(hop.trim()));
    let client = peer;
    for (const hop of forwarded.reverse()) {
      if (hop === null) return client;
      client = hop;
      if (!isProxy(hop)) return client;
    }
    return client;
  };
  return (c) => {
    const client = find(c);
    return client !== null && isLoopbackClient(client) && isForwarded(c) ? UNKNOWN_CLIENT : client;
  };
}

/** Peer addresses by socket, parsed once for all requests of a connection. */
const peerCache = new WeakMap<object, string | null>();

/** The socket's address, as @hono/node-server provides it; null where the runtime doesn't. */
export function peerOf(c: Context): string | null {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  const socket = incoming?.socket;
  if (socket === undefined) return null;
  const known = peerCache.get(socket);
  if (known !== undefined) return known;
  const peer = plainAddress(socket.remoteAddress ?? "");
  peerCache.set(socket, peer);
  return peer;
}

/** An address without port, brackets or the IPv4-in-IPv6 prefix; null if it is not an IP address. */
function plainAddress(text: string): string | null {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(mapped) === 0 ? null : mapped;
}

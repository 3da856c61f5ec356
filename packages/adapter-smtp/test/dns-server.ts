import { once } from "node:events";
import type { AddressInfo } from "node:net";
import dns2 from "dns2";

/**
 * DNS records for a test: `"TXT name"` and the like, of the types below, to values; of an MX record such as
 * `10 mx.example.com`. `timeout` never answers, `servfail` fails.
 */
export type Zone = Record<string, string[] | "timeout" | "servfail">;

const TYPES = ["TXT", "A", "AAAA", "MX", "NS", "CNAME"] as const;

/**
 * Starts a real DNS server for `zone` on a local UDP port, by default a free one of 127.0.0.1. `asked` lists the
 * queries it received.
 */
export async function startDnsServer(
  zone: Zone,
  at: { address?: string; port?: number } = {},
): Promise<{ server: string; asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = dns2.Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (question === undefined) return void send(response);
      const type = TYPES.find((name) => question.type === dns2.Packet.TYPE[name]) ?? String(question.type);
      const key = `${type} ${question.name.toLowerCase()}`;
      asked.push(key);
      const values = zone[key];
      if (values === "timeout") return;
      if (values === "servfail") response.header.rcode = 2;
      else if (values !== undefined)
        response.answers.push(
          ...values.map((value) => record(question, type, value) as (typeof response.answers)[number]),
        );
      else if (!Object.keys(zone).some((name) => name.endsWith(` ${question.name.toLowerCase()}`)))
        response.header.rcode = 3;
      void send(response);
    },
  });
  const listening = once(server, "listening");
  const { address = "127.0.0.1" } = at;
  void server.listen({ udp: { port: at.port ?? 0, address } });
  await listening;
  const { port } = (server.addresses() as { udp: AddressInfo }).udp;
  return { server: `${address}:${port}`, asked, close: () => server.close() };
}

function record(question: { name: string; type?: number }, type: string, value: string): object {
  const base = { name: question.name, type: question.type, class: dns2.Packet.CLASS.IN, ttl: 60 };
  // A TXT string holds at most 255 bytes; keys are longer.
  if (type === "TXT") return { ...base, data: value.match(/.{1,255}/g) };
  if (type === "NS") return { ...base, ns: value };
  if (type === "CNAME") return { ...base, domain: value };
  if (type !== "MX") return { ...base, address: value };
  const [priority, exchange = ""] = value.split(" ");
  return { ...base, priority: Number(priority), exchange: exchange.replace(/\.$/, "") };
}

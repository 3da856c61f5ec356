import { once } from "node:events";
import type { AddressInfo } from "node:net";
import dns2 from "dns2";

/** DNS records for a test: `"TXT name"` or `"A name"` to values. `timeout` never answers, `servfail` fails. */
export type Zone = Record<string, string[] | "timeout" | "servfail">;

/** Starts a real DNS server for `zone` on a free local UDP port. `asked` lists the queries it received. */
export async function startDnsServer(
  zone: Zone,
): Promise<{ server: string; asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const response = dns2.Packet.createResponseFromRequest(request);
      const [question] = request.questions;
      if (question === undefined) return void send(response);
      const type =
        question.type === dns2.Packet.TYPE.TXT
          ? "TXT"
          : question.type === dns2.Packet.TYPE.A
            ? "A"
            : String(question.type);
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
  void server.listen({ udp: { port: 0, address: "127.0.0.1" } });
  await listening;
  const { port } = (server.addresses() as { udp: AddressInfo }).udp;
  return { server: `127.0.0.1:${port}`, asked, close: () => server.close() };
}

function record(question: { name: string; type?: number }, type: string, value: string): object {
  const base = { name: question.name, type: question.type, class: dns2.Packet.CLASS.IN, ttl: 60 };
  // A TXT string holds at most 255 bytes; keys are longer.
  return type === "TXT" ? { ...base, data: value.match(/.{1,255}/g) } : { ...base, address: value };
}

import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generateCertificate } from "../src/listener/certificate.ts";

/** A real host of a domain's MTA-STS policy. */
export interface PolicyHost {
  /** The requests received, as host and path. */
  fetched: string[];
  /** Changes the policy; undefined: there is none. */
  say(text: string | undefined): void;
  /** Its certificate. */
  ca: string;
  port: number;
  close(): Promise<void>;
}

/** The text of a policy with one pattern. */
export const policyText = (mode: string, mx = "mx.example.org", max_age = 86_400): string =>
  `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: ${max_age}\r\n`;

/** Starts the policy host of a domain at 127.0.0.1. */
export async function startPolicyHost(domain: string, text: string | undefined): Promise<PolicyHost> {
  const { cert, key } = await generateCertificate({ host: `mta-sts.${domain}`, now: new Date() });
  const fetched: string[] = [];
  let said = text;
  const server = createServer({ cert, key }, (request, response) => {
    fetched.push(`${request.headers.host?.split(":")[0]} ${request.url}`);
    response.writeHead(said === undefined ? 404 : 200, { "content-type": "text/plain; charset=utf-8" });
    response.end(said ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    fetched,
    say: (other) => void (said = other),
    ca: cert,
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

import type { MessagePort } from "node:worker_threads";
import { dnsError, dnsErrorCode } from "../sender/cached-dns.ts";
import type { MailauthResolver } from "../sender/limited-dns.ts";

interface Lookup {
  id: number;
  name: string;
  type: string;
}

interface Answer {
  id: number;
  records?: string[][] | string[];
  code?: string;
}

/** A resolver that asks the thread at the other end of `port`. */
export function resolveOverPort(port: MessagePort): MailauthResolver {
  const pending = new Map<
    number,
    { resolve: (records: string[][] | string[]) => void; reject: (error: Error) => void }
  >();
  let last_id = 0;
  port.on("message", (answer: Answer) => {
    const lookup = pending.get(answer.id);
    pending.delete(answer.id);
    if (answer.records === undefined) lookup?.reject(dnsError(answer.code ?? "ESERVFAIL"));
    else lookup?.resolve(answer.records);
  });
  return (name, type) =>
    new Promise((resolve, reject) => {
      last_id += 1;
      pending.set(last_id, { resolve, reject });
      port.postMessage({ id: last_id, name, type } satisfies Lookup);
    });
}

/** Answers lookups that arrive over `port` with `resolver`, until the port is closed. */
export function answerOverPort(port: MessagePort, resolver: MailauthResolver): void {
  const answer = async ({ id, name, type }: Lookup): Promise<Answer> => {
    try {
      return { id, records: await resolver(name, type) };
    } catch (error) {
      return { id, code: dnsErrorCode(error) || "ESERVFAIL" };
    }
  };
  port.on("message", (lookup: Lookup) => {
    void answer(lookup).then((found) => port.postMessage(found));
  });
}

import type { MessagePort } from "node:worker_threads";
import { codeOf, dnsError } from "./cached-dns.ts";
import type { MailauthResolver } from "./check-dns.ts";

interface Question {
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
  const waiting = new Map<
    number,
    { resolve: (records: string[][] | string[]) => void; reject: (error: Error) => void }
  >();
  let last = 0;
  port.on("message", (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.records === undefined) asker?.reject(dnsError(answer.code ?? "ESERVFAIL"));
    else asker?.resolve(answer.records);
  });
  return (name, type) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ id: last, name, type } satisfies Question);
    });
}

/** Answers the questions that come in over `port` with `resolver`, until the port is closed. */
export function answerOverPort(port: MessagePort, resolver: MailauthResolver): void {
  const answer = async ({ id, name, type }: Question): Promise<Answer> => {
    try {
      return { id, records: await resolver(name, type) };
    } catch (error) {
      return { id, code: codeOf(error) || "ESERVFAIL" };
    }
  };
  port.on("message", (question: Question) => {
    void answer(question).then((found) => port.postMessage(found));
  });
}

import type { MessagePort } from "node:worker_threads";
import type { ExtractableMail, Extraction, ParsedMail } from "@letterslot/core";
import { extract, parseMail } from "@letterslot/core/worker";
import { resolveOverPort } from "./port-dns.ts";
import type { SignatureFacts } from "./signature-facts.ts";

/** What the main thread asks of a worker. Names are looked up over `dns`, since the resolver lives on the main thread. */
export type MailTask =
  | { kind: "parse"; raw: Uint8Array }
  | { kind: "extract"; mail: ExtractableMail }
  | { kind: "signatures"; raw: Uint8Array; dns: MessagePort };

/** What the worker answers; a failure is its code, as errors lose theirs on the way between threads. */
export type MailTaskResult = { mail: ParsedMail } | { extraction: Extraction } | SignatureFacts | { code: string };

/** The worker's one job: the pool calls it by this name with each task. */
export async function runMailTask(task: MailTask): Promise<MailTaskResult> {
  if (task.kind === "signatures") {
    const { readSignatureFacts } = await import("./signature-facts.ts");
    try {
      return await readSignatureFacts(task.raw, resolveOverPort(task.dns));
    } finally {
      task.dns.close();
    }
  }
  if (task.kind === "extract") return { extraction: extract(task.mail) };
  try {
    return { mail: await parseMail(task.raw) };
  } catch (error) {
    return { code: error instanceof Error && "code" in error ? String(error.code) : "mail_unreadable" };
  }
}

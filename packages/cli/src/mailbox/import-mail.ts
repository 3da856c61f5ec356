import { hash } from "node:crypto";
import { type Client, LetterslotApiError } from "@letterslot/client";
import type { FoundMail } from "./mailbox-files.ts";

/** The result of importing one mail. */
export interface ImportedMail {
  source: string;
  outcome: "imported" | "already_there" | "refused";
  /** Why it was refused. */
  reason: string | null;
}

/** Mails that are under way at once. */
const PARALLEL = 4;
const ID_CHARS = 40;
/** Error codes that concern one mail, while the server takes others. */
const REFUSALS = new Set([
  "message_too_large",
  "mail_too_complex",
  "mail_unreadable",
  "sender_blocked",
  "invalid_request",
]);

/**
 * Imports mails into an inbox, a few at once, in about their order. A mail that exists already, such as after an
 * interruption, isn't stored again. Throws `LetterslotApiError` for errors that concern all of them.
 */
export async function importMails(
  client: Client,
  inbox_id: string,
  mails: AsyncGenerator<FoundMail>,
  { done, signal }: { done(mail: ImportedMail): void; signal: AbortSignal },
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const work = async () => {
    for (;;) {
      either.throwIfAborted();
      // A generator's calls of `next` wait for each other.
      const next = await mails.next();
      if (next.done === true) return;
      done(await importMail(client, inbox_id, next.value, either));
    }
  };
  try {
    await Promise.all(
      Array.from({ length: PARALLEL }, () =>
        work().catch((error: unknown) => {
          stop.abort(error);
          throw error;
        }),
      ),
    );
  } finally {
    await mails.return(undefined);
  }
}

async function importMail(
  client: Client,
  inbox_id: string,
  { source, raw }: FoundMail,
  signal: AbortSignal,
): Promise<ImportedMail> {
  if (raw === null) return { source, outcome: "refused", reason: "message_too_large" };
  const client_id = `import-${hash("sha256", raw, "hex").slice(0, ID_CHARS)}`;
  try {
    const input = { inbox_id, raw: raw.toString("base64"), imported: true, client_id };
    const { idempotent } = await client.messages.inject(input, { signal });
    return { source, outcome: idempotent ? "already_there" : "imported", reason: null };
  } catch (error) {
    if (!(error instanceof LetterslotApiError) || !REFUSALS.has(error.code)) throw error;
    return { source, outcome: "refused", reason: error.code };
  }
}

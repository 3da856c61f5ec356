import { localPartOfId, messageIdKey } from "../../model/message-id.ts";
import type { MessageReferenceRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** References that are looked up at once, from the nearest on. */
const LOOKED_UP_AT_ONCE = 100;
/** Rows that are read of those: whoever knows a Message-ID can send more mail with it. */
const MAX_ROWS_READ = 200;

/** An id that a relay gave a mail and that may stand in a Message-ID; short words of its answer are none. */
const PROVIDER_ID = /^(?=\D{0,200}\d)[\w.=-]{16,200}$/;

/** Whether a relay may have put an id into a Message-ID in place of ours. */
export const isProviderId = (id: string): boolean => PROVIDER_ID.test(id);

/** Returns the reference of mail that a relay renamed. No Message-ID looks like it. */
export const providerReference = (provider_id: string): string => `relay:${provider_id}`;

/** A Message-ID as it is compared, and as older versions stored it. */
export const storedForms = (id: string): string[] => [...new Set([messageIdKey(id), id])];

/** The references that a Message-ID may stand for. */
export function referencesNamedBy(id: string): string[] {
  const local = localPartOfId(id);
  return isProviderId(local) ? [...storedForms(id), providerReference(local)] : storedForms(id);
}

/**
 * Finds the messages of an inbox that a mail refers to by Message-IDs, oldest first as in References: the nearest
 * one first, and of several with one Message-ID our own, then the oldest. Only some of those near it are read.
 */
export async function findReferenced(
  reader: Pick<StorageReader, "find">,
  inbox_id: string,
  ids: readonly string[],
  of: { own?: true } = {},
  most = MAX_ROWS_READ,
): Promise<MessageReferenceRecord[]> {
  for (let end = ids.length; end > 0; end -= LOOKED_UP_AT_ONCE) {
    const near = ids.slice(Math.max(0, end - LOOKED_UP_AT_ONCE), end).toReversed();
    const rank = new Map<string, number>();
    for (const [index, id] of near.entries())
      for (const reference of referencesNamedBy(id)) if (!rank.has(reference)) rank.set(reference, index);
    const named = [...rank.keys()];
    const rows = await reader.find("message_references", {
      where: { inbox_id, reference: { in: named }, ...of },
      limit: most,
    });
    if (rows.length === 0) continue;
    const rankOf = ({ reference }: MessageReferenceRecord) => rank.get(reference) ?? named.length;
    return rows.toSorted(
      (a, b) =>
        rankOf(a) - rankOf(b) || Number(b.own) - Number(a.own) || (a.message_id < b.message_id ? -1 : 1),
    );
  }
  return [];
}

/** Whether a mail's Message-IDs refer to one of the inbox's own messages. */
export const refersToOwn = async (
  reader: Pick<StorageReader, "find">,
  inbox_id: string,
  ids: readonly string[],
): Promise<boolean> => (await findReferenced(reader, inbox_id, ids, { own: true }, 1)).length > 0;

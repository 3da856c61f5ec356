import type { AccountContext } from "../../kernel/context.ts";
import { readableEvidence } from "./evidence.ts";
import { isKnown } from "./findings.ts";
import { mentionsByHash } from "./gather-outbound.ts";
import { evidenceAccounts, readMentions } from "./mentions.ts";

/** Which addresses count as known recipients of an account, as what leaves is looked at, for whoever asks; canonical. */
export async function knownAmong(
  { storage, caller, account_id, now }: Pick<AccountContext, "storage" | "caller" | "account_id" | "now">,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const accounts = await evidenceAccounts(storage, { account_id });
  const hashes = new Map(accounts.flatMap((of) => [...mentionsByHash(of, keys)]));
  const [recipients, ...mentions] = await Promise.all([
    storage.find("recipients", {
      where: { account_id, address: { in: [...keys] } },
      limit: keys.length,
    }),
    ...accounts.map((inbox) => readMentions({ storage, inbox, now }, [...hashes.keys()])),
  ]);
  const told = await readableEvidence({ storage, caller }, mentions.flat());
  const known = recipients.filter(({ address, left_at }) => {
    const times = told.filter(({ hash }) => hashes.get(hash)?.includes(address) === true).map(({ at }) => at);
    const [first_at] = times.sort();
    const mention = first_at === undefined ? undefined : { first_at };
    return isKnown({ answered: false, left_at, mention }, now);
  });
  return new Set(known.map(({ address }) => address));
}

import { LIMITS } from "../../catalogue/limits.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import type { StorageReader } from "../../ports/storage.ts";

type Own = Pick<Services, "options">;
type Reader = Pick<StorageReader, "find" | "get">;

/** Records of one person that are looked at. */
const MAX_RIGHTS = 200;
const PAGE = 200;

/**
 * Returns the time from which mail for a domain may be delivered here; null while nobody with a say in any account
 * has an address there. Each person who has, and whoever is in charge of those accounts, is told once, in the
 * caller's transaction; the waiting period starts then.
 */
export async function awaitPeople(
  own: Own,
  work: Work,
  { id: domain_id, domain }: Pick<DomainRecord, "id" | "domain">,
  now: Date,
): Promise<string | null> {
  let told = 0;
  for await (const email of peopleAt(work, domain)) {
    if (told >= LIMITS.domain_told_per_check) break;
    const [known] = await work.find("receiving_notices", { where: { domain_id, email }, limit: 1 });
    if (known !== undefined) continue;
    told += 1;
    await tellOf(own, work, { domain_id, domain, email }, now);
  }
  const [last] = await work.find("receiving_notices", {
    where: { domain_id },
    order: { by: "waits_until", direction: "desc" },
    limit: 1,
  });
  return last?.waits_until ?? null;
}

/** Tells a person at a domain, and those in charge of the accounts in which they have a say. */
async function tellOf(
  own: Own,
  work: Work,
  { domain_id, domain, email }: { domain_id: string; domain: string; email: string },
  now: Date,
): Promise<void> {
  const accounts = await accountsOf(work, email);
  const in_charge = await Promise.all(
    accounts.map((account_id) => decidersOver(own, work, { account_id, inbox_id: null })),
  );
  const ends_charge = in_charge.some(({ emails }) => isEverybodyAt(emails, domain));
  const wait_ms = ends_charge ? LIMITS.domain_last_authority_notice_ms : LIMITS.domain_receiving_notice_ms;
  const waits_until = iso(new Date(now.getTime() + wait_ms));
  // Deciders whose own address is at the domain are told separately, for all of their accounts.
  const elsewhere = in_charge.flatMap(({ emails }) => emails.filter((each) => domainOf(each) !== domain));
  for (const to of new Set([email, ...elsewhere])) {
    const { inserted } = await work.insert("receiving_notices", { domain_id, email: to, waits_until });
    if (inserted) work.job({ kind: "domain.letter", subject_id: domain_id, payload: { to, receives: true } });
  }
}

/** The accounts in which somebody has a say: as a verified owner, with authority, or as the noted first address. */
async function accountsOf(reader: Reader, email: string): Promise<string[]> {
  const [owners, authorities, noted] = await Promise.all([
    reader.find("owners", { where: { email, status: "verified" }, limit: MAX_RIGHTS }),
    reader.find("authorities", { where: { email }, limit: MAX_RIGHTS }),
    reader.find("accounts", { where: { first_owner_email: email }, limit: MAX_RIGHTS }),
  ]);
  const named = [...owners, ...authorities].map(({ account_id }) => account_id);
  const roots = await Promise.all([...new Set(named)].map((account_id) => rootAccount(reader, account_id)));
  return [...new Set([...roots.flatMap((root) => root?.id ?? []), ...noted.map(({ id }) => id)])];
}

/** Everybody with a say in some account whose address is at a domain, in order of their addresses. */
async function* peopleAt(reader: Reader, domain: string): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const page = await reader.find("addresses", {
      where: { domain, kind: "person", address: { gt: after } },
      order: { by: "address", direction: "asc" },
      limit: PAGE,
    });
    for (const { address } of page) yield address;
    if (page.length < PAGE) return;
    after = page.at(-1)?.address ?? "";
  }
}

/** Whether there is somebody, and everybody has an address at a domain or below it. */
export const isEverybodyAt = (emails: readonly string[], domain: string): boolean =>
  emails.length > 0 && emails.every((email) => `.${domainOf(email)}`.endsWith(`.${domain}`));

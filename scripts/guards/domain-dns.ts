import { type Guard, guard } from "./guard.ts";

const dns = "packages/core/src/domains/dns";
const zone = "packages/adapter-smtp/src/sender";

/** What the DNS of a stranger's domain can cause, and what it proves. */
export const domainDns: Guard[] = [
  guard(
    "a zone can't send look-ups to a private address",
    [`${zone}/zone-dns.ts`, "found.flat().filter(mayBeAsked)", "found.flat()"],
    [`${zone}/zone-dns.test.ts`, "a name server at a private address isn't asked"],
  ),
  guard(
    "a zone can't have many name servers asked",
    [`${zone}/zone-dns.ts`, "names.slice(0, MAX_NAME_SERVERS)", "names"],
    [`${zone}/zone-dns.test.ts`, "at most four addresses"],
  ),
  guard(
    "trouble with DNS isn't taken for a record that is gone",
    [`${dns}/look-up.ts`, "if (isAbsent(error)) return [];", "if (error !== null) return [];"],
    [`${dns}/examine.test.ts`, "keeps what the last check found"],
  ),
  guard(
    "a domain is proven by the text of one account alone",
    [`${dns}/judge-ownership.ts`, "text.trim() === value", "text.includes(OWNERSHIP_PREFIX)"],
    [`${dns}/examine.test.ts`, "of another account"],
  ),
  guard(
    "names of the service's own domain can't be taken",
    [`${dns}/name.ts`, "if (domain === mail_domain || domain.endsWith(`.${mail_domain}`))", "if (false)"],
    [`${dns}/name.test.ts`, "this service's own"],
  ),
  guard(
    "public suffixes can't be taken",
    [
      `${dns}/name.ts`,
      "validateHostname: false }) === domain)",
      "validateHostname: false }) === text + domain)",
    ],
    [`${dns}/name.test.ts`, "is a public suffix"],
  ),
  guard(
    "one check of a domain can't take long",
    [
      `${dns}/examine.ts`,
      "clock.after(LIMITS.domain_look_up_ms, look.end)",
      "clock.after(2 ** 40, look.end)",
    ],
    [`${dns}/examine.test.ts`, "is over in 20 seconds"],
  ),
  guard(
    "SPF records that include each other are followed 20 times at most",
    [
      `${dns}/spf-walk.ts`,
      'if (walk.lookups > MAX_WALKED || domain.includes("%")) return null;',
      'if (walk.lookups > 5_000 || domain.includes("%")) return null;',
    ],
    [`${dns}/spf.test.ts`, "itself included"],
  ),
  guard(
    "what was found in the DNS begins no line in a zone file",
    [`${dns}/zone-file.ts`, 'oneLine(hint ?? "")', '(hint ?? "")'],
    [`${dns}/zone-file.test.ts`, "begins no line of its own"],
  ),
];

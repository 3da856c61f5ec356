import { LIMITS } from "../../../catalogue/limits.ts";
import type { DnsRecord, DomainWarning, WantedRecord } from "../../../model/domain-records.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Dns } from "../../../ports/dns.ts";
import { type Judgement, missing, shown } from "./judge.ts";
import { judgeDkim } from "./judge-dkim.ts";
import { judgeDmarc } from "./judge-dmarc.ts";
import { judgeMx, mxWarnings } from "./judge-mx.ts";
import { judgeOwnership } from "./judge-ownership.ts";
import { judgeReportConsent, judgeTlsReports } from "./judge-reports.ts";
import { judgeReturnPath } from "./judge-return-path.ts";
import { judgeSpf } from "./judge-spf.ts";
import { createLookUps, DnsTrouble, type LookUps } from "./look-up.ts";

const MAX_FOUND = 20;
const MAX_FOUND_CHARS = 1_000;

/** A domain to look at. */
export interface ExaminedDomain {
  domain: string;
  mail_domain: string;
  wanted: readonly WantedRecord[];
  /** The records that the last check found; they stand in for a record that can't be looked up now. */
  before?: readonly DnsRecord[];
  /** Bounds the time of the whole check: look-ups still pending after `LIMITS.domain_look_up_ms` count as trouble. */
  clock: Clock;
}

/** The result of looking up a domain's DNS records. */
export interface Examination {
  records: DnsRecord[];
  warnings: DomainWarning[];
  /** Whether a record that verification needs couldn't be looked up: nothing follows from this check. */
  trouble: boolean;
}

/** Looks up a domain's records and judges them by their effect, not their exact text. Never fails. */
export async function examineRecords(dns: Dns, examined: ExaminedDomain): Promise<Examination> {
  const { domain, mail_domain, wanted, before = [], clock } = examined;
  const look = createLookUps(dns);
  const cancel = clock.after(LIMITS.domain_look_up_ms, look.end);
  const [alias, judged, mx] = await Promise.all([
    unlessTrouble(look.alias(domain)),
    Promise.all(wanted.map((record) => unlessTrouble(judge(look, record, examined)))),
    unlessTrouble(mxWarnings(look, domain, mail_domain)),
  ]);
  cancel();
  const records = wanted.map((record, index) => {
    const judgement = judged[index];
    return judgement === undefined
      ? unchanged(record, before, look)
      : { ...record, ...limited(besideAlias(record, judgement, { domain, alias })) };
  });
  return {
    records,
    warnings: [...aliasWarnings(domain, mail_domain, alias), ...(mx ?? []), ...troubleWarnings(domain, look)],
    trouble: wanted.some(({ required }, index) => required && judged[index] === undefined),
  };
}

async function judge(look: LookUps, record: WantedRecord, examined: ExaminedDomain): Promise<Judgement> {
  const { name, value, purpose } = record;
  const { domain, mail_domain } = examined;
  switch (purpose) {
    case "ownership":
      return inRightPlace(look, record, domain, await judgeOwnership(look, { name, value, domain }));
    case "dkim":
      return inRightPlace(look, record, domain, judgeDkim(name, value, await look.texts(name)));
    case "mx":
      return judgeMx(look, name, mail_domain);
    case "spf":
      return judgeSpf(look, name, mail_domain);
    case "return_path":
      return judgeReturnPath(look, name, mail_domain);
    case "dmarc":
      return judgeDmarc(look, domain);
    case "tls_reports":
      return judgeTlsReports(name, await look.texts(name));
    case "report_consent":
      return judgeReportConsent(name, await look.texts(name));
  }
}

/** Explains a missing record that is found at the doubled name, because the provider appends the domain itself. */
async function inRightPlace(
  look: LookUps,
  { name }: WantedRecord,
  domain: string,
  judgement: Judgement,
): Promise<Judgement> {
  if (judgement.status !== "missing") return judgement;
  const doubled = `${name}.${domain}`;
  const found = await look.texts(doubled).catch(() => []);
  if (found.length === 0) return judgement;
  const label = name.slice(0, -domain.length - 1);
  return missing(
    `The record stands at ${doubled}, because your provider adds the domain itself; enter the name as ${label}.`,
    found,
  );
}

/** At an alias no other record counts, however often it is added. */
function besideAlias(
  { name }: WantedRecord,
  judgement: Judgement,
  { domain, alias }: { domain: string; alias: string | undefined },
): Judgement {
  if (alias === undefined || name !== domain || judgement.status === "valid") return judgement;
  return {
    ...judgement,
    status: "invalid",
    hint: `${domain} is an alias (CNAME) of ${shown(alias)}, beside which no other record counts; replace the CNAME with A and AAAA records, or with your provider's ALIAS.`,
  };
}

function aliasWarnings(domain: string, mail_domain: string, alias: string | undefined): DomainWarning[] {
  if (alias === undefined || alias === mail_domain) return [];
  return [
    {
      code: "apex_cname",
      message: `${domain} is an alias (CNAME) of ${shown(alias)}: the MX and SPF records of that name hold for it, and none of its own. Replace the CNAME with A and AAAA records, or with your provider's ALIAS.`,
    },
  ];
}

function troubleWarnings(domain: string, look: LookUps): DomainWarning[] {
  const troubles = [...look.troubles()];
  const unsigned = troubles.find(
    ([name, code]) => code === "ESERVFAIL" && (name === domain || name.endsWith(`.${domain}`)),
  );
  if (unsigned !== undefined)
    return [
      {
        code: "dnssec_failure",
        message: `Look-ups of ${domain} fail (SERVFAIL). Most often its DNSSEC is broken: at your registrar, compare the DS record with the keys of your DNS provider, or remove it. Until then its status stays as it is.`,
      },
    ];
  const [first] = troubles;
  if (first === undefined) return [];
  const [name, code] = first;
  return [
    {
      code: "dns_unavailable",
      message: `${shown(name)} could not be looked up (${code}). The records that depend on it stay as they were, and are looked up again.`,
    },
  ];
}

/** A record that couldn't be looked up, as it was last found. */
function unchanged(record: WantedRecord, before: readonly DnsRecord[], look: LookUps): DnsRecord {
  const { name, value, purpose } = record;
  const last = before.find(
    (known) => known.name === name && known.purpose === purpose && known.value === value,
  );
  if (last !== undefined) return { ...last, ...record };
  const trouble = [...look.troubles()].find(([asked]) => asked === name);
  const code = trouble === undefined ? "" : ` (${trouble[1]})`;
  return { ...record, ...missing(`${name} could not be looked up${code}; it is looked up again.`) };
}

const limited = (judgement: Judgement): Judgement => ({
  ...judgement,
  found: judgement.found.slice(0, MAX_FOUND).map((value) => onOneLine(value).slice(0, MAX_FOUND_CHARS)),
});

/** Anybody can publish any text, so it is shown on one line without control characters. */
const onOneLine = (value: string): string => value.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** Awaits a look-up; returns undefined when it failed because of trouble with the DNS. */
async function unlessTrouble<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof DnsTrouble) return undefined;
    throw error;
  }
}

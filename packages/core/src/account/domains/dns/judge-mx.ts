import type { DomainWarning } from "../../../model/domain-records.ts";
import { invalid, type Judgement, missing, shown, valid } from "./judge.ts";
import type { LookUps, MailHost } from "./look-up.ts";

/** A label that nobody publishes: any answer for it comes from a wildcard. */
const PROBE_LABEL = "ls-wildcard-probe";

/** Returns the hosts that take mail for the service: its own domain and that domain's MX hosts. */
async function serviceHosts(look: LookUps, mail_domain: string): Promise<(host: MailHost) => boolean> {
  const hosts = new Set([
    mail_domain,
    ...(await look.mailHosts(mail_domain)).map(({ exchange }) => exchange),
  ]);
  return ({ exchange }) => exchange !== "" && hosts.has(exchange);
}

/** Judges the MX records of a name. Fails with `DnsTrouble`. */
export async function judgeMx(look: LookUps, name: string, mail_domain: string): Promise<Judgement> {
  const [hosts, isOurs] = await Promise.all([look.mailHosts(name), serviceHosts(look, mail_domain)]);
  const found = hosts.map(({ exchange, priority }) => `${priority} ${exchange === "" ? "." : exchange}`);
  const ours = hosts.find(isOurs);
  if (hosts.length === 0)
    return missing(`Add an MX record at ${name} with the value shown, to receive mail.`);
  if (hosts.some(({ exchange }) => exchange === ""))
    return invalid(
      `${name} says that it takes no mail (an MX record of a dot); replace that record to receive mail here.`,
      found,
    );
  const first = hosts.find((host) => !isOurs(host));
  if (ours === undefined)
    return missing(
      `Mail for ${name} goes to ${shown(first?.exchange ?? "")}; to receive it here, replace those MX records with ours.`,
      found,
    );
  return first !== undefined && first.priority <= ours.priority
    ? invalid(
        `Mail for ${name} goes to ${shown(first.exchange)} first; remove its MX record, or give ours a lower number.`,
        found,
      )
    : valid(found);
}

/** Returns the warnings about mail hosts of a domain other than ours. Fails with `DnsTrouble`. */
export async function mxWarnings(
  look: LookUps,
  domain: string,
  mail_domain: string,
): Promise<DomainWarning[]> {
  const [hosts, wild, isOurs] = await Promise.all([
    look.mailHosts(domain),
    look.mailHosts(`${PROBE_LABEL}.${domain}`),
    serviceHosts(look, mail_domain),
  ]);
  const others = hosts.filter((host) => host.exchange !== "" && !isOurs(host));
  const warnings: DomainWarning[] = [];
  if (others.length > 0)
    warnings.push({
      code: "existing_mail_provider",
      message: `Mail for ${domain} also or only goes to ${namesOf(others)}. Sending works beside it; as long as those MX records stay, such mail doesn't arrive here.`,
    });
  if (wild.length > 0)
    warnings.push({
      code: "wildcard_mx",
      message: `${domain} has a wildcard MX record (*.${domain}), so that mail for every name below it goes to ${namesOf(wild)}. Remove it, unless you want that.`,
    });
  return warnings;
}

const MAX_NAMED = 3;

const namesOf = (hosts: readonly MailHost[]): string =>
  hosts
    .slice(0, MAX_NAMED)
    .map(({ exchange }) => (exchange === "" ? "nowhere" : shown(exchange)))
    .join(", ");

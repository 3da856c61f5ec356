import type { Letterslot } from "@letterslot/core";
import { examineOwnDomain, type OwnDomain } from "@letterslot/core/internal";
import type { Log } from "@letterslot/core/ports";

/** The DKIM record of MAIL_DOMAIN's key: its selector and its text. */
export interface PublishedKey {
  selector: string;
  value: string;
}

/** The time for which look-ups of MAIL_DOMAIN's records are shared, however often they are requested. */
const FRESH_MS = 60_000;

/** Looks up the DNS records of MAIL_DOMAIN, at most once a minute. Rejects when its key can't be read. */
export function createOwnDomain(
  { services }: Pick<Letterslot, "services">,
  dkim: () => Promise<PublishedKey>,
): () => Promise<OwnDomain> {
  let last: { at: number; found: Promise<OwnDomain> } | undefined;
  return () => {
    const at = services.clock.now().getTime();
    if (last !== undefined && at - last.at < FRESH_MS) return last.found;
    const entry = { at, found: dkim().then((key) => examineOwnDomain(services, key)) };
    entry.found.catch(() => {
      if (last === entry) last = undefined;
    });
    last = entry;
    return entry.found;
  };
}

/** Logs MAIL_DOMAIN's records: those in place, and those to publish for mail to come in and be believed. */
export async function logOwnDomain(look: () => Promise<OwnDomain>, log: Log): Promise<void> {
  try {
    const { records, warnings } = await look();
    for (const { status, hint, required, found: _, ...record } of records) {
      if (status === "valid") log.info({ record, status }, "DNS record of MAIL_DOMAIN is in place");
      else if (required) log.warn({ record, status }, hint ?? "DNS record of MAIL_DOMAIN is to be published");
      else log.info({ record, status }, hint ?? "DNS record of MAIL_DOMAIN may be published");
    }
    for (const { code, message } of warnings) log.warn({ code }, message);
  } catch (error) {
    log.error({ error }, "the DNS records of MAIL_DOMAIN can't be looked up");
  }
}

import { invalid, type Judgement, missing, shown, valid } from "./judge.ts";
import { judgeMx } from "./judge-mx.ts";
import { judgeSpf } from "./judge-spf.ts";
import type { LookUps } from "./look-up.ts";

/**
 * Judges the name that bounces come back to: an alias of the service's domain, or a name whose MX leads to the
 * service and whose SPF record lets it send. Fails with `DnsTrouble`.
 */
export async function judgeReturnPath(look: LookUps, name: string, mail_domain: string): Promise<Judgement> {
  const alias = await look.alias(name);
  if (alias === mail_domain) return valid([alias]);
  const [mx, spf] = await Promise.all([judgeMx(look, name, mail_domain), judgeSpf(look, name, mail_domain)]);
  const found = alias === undefined ? [...mx.found, ...spf.found] : [alias];
  if (mx.status === "valid" && spf.status === "valid") return valid(found);
  if (alias !== undefined)
    return invalid(`${name} is an alias of ${shown(alias)}; make it one of ${mail_domain}.`, found);
  if (found.length === 0) return missing(`Add a CNAME record at ${name} with the value shown.`);
  return invalid(
    `${name} has records of its own; replace them with a CNAME record to ${mail_domain}, so that bounces come back here.`,
    found,
  );
}

import { invalid, type Judgement, missing, shown, valid } from "./judge.ts";
import type { LookUps } from "./look-up.ts";
import { mergedSpf, readSpf, type SpfRecord, spfTexts } from "./spf-record.ts";
import { allowedNetworks, authorises, MAX_SPF_LOOKUPS, readSpfTree, type SpfReading } from "./spf-walk.ts";

/** Judges a name's SPF record by its effect on the service's mail (RFC 7208). Fails with `DnsTrouble`. */
export async function judgeSpf(look: LookUps, name: string, mail_domain: string): Promise<Judgement> {
  const texts = await look.texts(name);
  const found = spfTexts(texts);
  const [text] = found;
  if (text === undefined) return withoutRecord(name, texts, mail_domain);
  if (found.length > 1)
    return invalid(
      `${name} has ${found.length} SPF records, so that receivers ignore them; merge them into one: ${wantedSpf(name, found, mail_domain)}`,
      found,
    );
  const record = readSpf(text);
  if ("mistake" in record)
    return invalid(`The SPF record of ${name} has a mistake at ${shown(record.mistake)}.`, found);
  return judgeRecord(look, { name, text, record, mail_domain });
}

function withoutRecord(name: string, texts: readonly string[], mail_domain: string): Judgement {
  const near = texts.filter((text) => /v\s*=\s*spf1/i.test(text));
  if (near.length > 0)
    return invalid(
      `The SPF record of ${name} must begin with v=spf1 and a space, without quotation marks before it.`,
      near,
    );
  return missing(`Add a TXT record at ${name} with the value ${wantedSpf(name, [], mail_domain)}`);
}

/**
 * Returns the SPF record to publish in place of the existing ones; the service's own domain names its mail hosts with
 * `mx` instead of including itself.
 */
function wantedSpf(name: string, texts: readonly string[], mail_domain: string): string {
  const merged = mergedSpf(texts, mail_domain);
  if (name !== mail_domain) return merged;
  const [version = "", , ...rest] = merged.split(" ");
  return [version, ...new Set(["mx", ...rest])].join(" ");
}

async function judgeRecord(
  look: LookUps,
  { name, text, record, mail_domain }: { name: string; text: string; record: SpfRecord; mail_domain: string },
): Promise<Judgement> {
  const reading = await readSpfTree(look, name, record);
  if (name === mail_domain)
    return reading.problem === null ? valid([text]) : invalid(`${rejected(name, reading)}.`, [text]);
  const service = await readService(look, mail_domain);
  const networks = service === undefined ? [] : allowedNetworks(service.tree);
  const is_allowed = authorises(reading.tree, mail_domain, networks);
  if (reading.problem !== null)
    return invalid(`${rejected(name, reading)}; ${adviceFor(reading.problem, mail_domain)}.`, [text]);
  if (is_allowed) return valid([text]);
  const merged = mergedSpf([text], mail_domain);
  const total = reading.lookups + 1 + (service?.lookups ?? 0);
  return total > MAX_SPF_LOOKUPS
    ? invalid(
        `The SPF record of ${name} doesn't let this service send, and with include:${mail_domain} it would need ${total} DNS look-ups of ${MAX_SPF_LOOKUPS}; remove an include that you no longer need, then make it: ${merged}`,
        [text],
      )
    : invalid(`The SPF record of ${name} doesn't let this service send; change it to: ${merged}`, [text]);
}

const rejected = (name: string, { problem }: SpfReading): string =>
  `Receivers reject the SPF record of ${name}, because ${shown(problem ?? "")}`;

const adviceFor = (problem: string, mail_domain: string): string =>
  problem.includes(` ${mail_domain},`)
    ? "the operator of this service has to publish it"
    : "remove what you no longer need";

/** Reads the SPF record of the service's own domain; undefined when it has no usable one. */
async function readService(look: LookUps, mail_domain: string): Promise<SpfReading | undefined> {
  const texts = spfTexts(await look.texts(mail_domain));
  const record = texts.length === 1 ? readSpf(texts[0] ?? "") : undefined;
  return record === undefined || "mistake" in record ? undefined : readSpfTree(look, mail_domain, record);
}

import { invalid, isQuoted, type Judgement, missing, valid } from "./judge.ts";
import type { LookUps } from "./look-up.ts";

/** For a longer name, the tree walk starts at its last seven labels (RFC 9989, section 4.10). */
const MAX_WALKED_LABELS = 7;
const VERSION = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/i;
const POLICIES = ["none", "quarantine", "reject"];
const REPORT_ADDRESS = /^[a-z][a-z0-9+.-]*:\S+$/i;

/**
 * Judges the DMARC policy that holds for a domain: its own, or one that the tree walk of RFC 9989 finds above
 * it. Fails with `DnsTrouble`.
 */
export async function judgeDmarc(look: LookUps, domain: string): Promise<Judgement> {
  const own = await policiesAt(look, domain);
  const [text] = own.texts;
  if (own.texts.length > 1)
    return invalid(
      `There are ${own.texts.length} DMARC records at _dmarc.${domain}, so that receivers ignore them; keep one.`,
      own.texts,
    );
  if (text !== undefined) {
    const problem = problemOf(text);
    return problem === null
      ? valid(own.texts)
      : invalid(`The DMARC record at _dmarc.${domain} ${problem}.`, own.texts);
  }
  const inherited = await policyAbove(look, domain);
  if (inherited !== undefined) return valid([inherited]);
  if (own.others.some((other) => /v\s*=\s*DMARC1/i.test(other)))
    return invalid(
      own.others.some(isQuoted)
        ? `The DMARC record at _dmarc.${domain} was published with quotation marks; paste it without them.`
        : `The DMARC record at _dmarc.${domain} must begin with v=DMARC1.`,
      own.others,
    );
  return missing(
    `Add a TXT record at _dmarc.${domain} with the value shown, so that receivers know your policy.`,
  );
}

/** The TXT records at the place of a domain's policy: those that are policies, and others. */
async function policiesAt(look: LookUps, domain: string): Promise<{ texts: string[]; others: string[] }> {
  const found = (await look.texts(`_dmarc.${domain}`)).map((text) => text.trim());
  return {
    texts: found.filter((text) => VERSION.test(text)),
    others: found.filter((text) => !VERSION.test(text)),
  };
}

/** The policy that a domain without one inherits (RFC 9989, sections 4.10.1 and 4.10.2). */
async function policyAbove(look: LookUps, domain: string): Promise<string | undefined> {
  let policy: string | undefined;
  for (const name of namesAbove(domain)) {
    const { texts } = await policiesAt(look, name);
    const [text] = texts;
    if (text === undefined || texts.length > 1 || problemOf(text) !== null) continue;
    const psd = readTags(text)?.get("psd")?.toLowerCase();
    // Below a public suffix the organisation's own policy holds; without one, that of the suffix.
    if (psd === "y") return policy ?? text;
    policy = text;
    if (psd === "n") return policy;
  }
  return policy;
}

function namesAbove(domain: string): string[] {
  const labels = domain.split(".");
  const above = labels.length > MAX_WALKED_LABELS ? labels.slice(-MAX_WALKED_LABELS) : labels.slice(1);
  return above.map((_, index) => above.slice(index).join("."));
}

/** The tags of a record; undefined when one is there twice (RFC 6376, section 3.2). */
function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    const name = part.slice(0, at).trim();
    if (tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}

/**
 * Returns the problem with a DMARC policy as the rest of a sentence, or null if it has none (RFC 9989, section
 * 4.10.1).
 */
function problemOf(text: string): string | null {
  const tags = readTags(text);
  if (tags === undefined) return "has a tag twice, so that receivers ignore it; remove one of them";
  const policy = tags.get("p")?.toLowerCase();
  const wrong = ["sp", "np"].find((name) => !POLICIES.includes(tags.get(name)?.toLowerCase() ?? "none"));
  const reports =
    tags
      .get("rua")
      ?.split(",")
      .some((uri) => REPORT_ADDRESS.test(uri.trim())) ?? false;
  // With a report address, a record without a valid policy counts as p=none.
  if (reports || (policy !== undefined && POLICIES.includes(policy) && wrong === undefined)) return null;
  const tag = policy !== undefined && POLICIES.includes(policy) ? wrong : "p";
  return `has no valid policy; set ${tag}= to none, quarantine or reject`;
}

import { isIP } from "node:net";
import { isInNetworks, networkList } from "../../../model/networks.ts";
import type { LookUps } from "./look-up.ts";
import { readSpf, type SpfQualifier, type SpfRecord, type SpfTerm, spfTexts } from "./spf-record.ts";

/** The limits on look-ups that a record may cause, and on those that may find nothing (RFC 7208, section 4.6.4). */
export const MAX_SPF_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;
const MAX_MX_HOSTS = 10;
/** The number of look-ups after which we stop reading a record that exceeds the limit. */
const MAX_WALKED = 20;

/** A record with everything that it refers to. */
export interface SpfTree {
  domain: string;
  terms: (SpfTerm & { networks: string[]; tree: SpfTree | null })[];
  redirect: SpfTree | null;
}

/** The result of reading a record and everything that it refers to. */
export interface SpfReading {
  tree: SpfTree;
  lookups: number;
  /** Why every receiver rejects the record, as a clause such as "it includes x.test, which has no SPF record". */
  problem: string | null;
}

interface Walk {
  look: LookUps;
  lookups: number;
  voids: number;
  problem: string | null;
}

/** Reads all that a domain's well-formed record refers to. Fails with `DnsTrouble`. */
export async function readSpfTree(look: LookUps, domain: string, record: SpfRecord): Promise<SpfReading> {
  const walk: Walk = { look, lookups: 0, voids: 0, problem: null };
  const tree = await grow(walk, domain, record);
  const many = walk.lookups > MAX_WALKED ? `more than ${MAX_WALKED}` : String(walk.lookups);
  const limits =
    walk.lookups > MAX_SPF_LOOKUPS
      ? `it needs ${many} DNS look-ups, and receivers allow ${MAX_SPF_LOOKUPS}`
      : walk.voids > MAX_VOID_LOOKUPS
        ? `${walk.voids} of the names that it refers to don't exist, and receivers allow ${MAX_VOID_LOOKUPS}`
        : null;
  return { tree, lookups: walk.lookups, problem: walk.problem ?? limits };
}

async function grow(walk: Walk, domain: string, record: SpfRecord): Promise<SpfTree> {
  const terms: SpfTree["terms"] = [];
  for (const term of record.terms) terms.push(await growTerm(walk, domain, term));
  // An `all` makes a redirect meaningless (RFC 7208, section 6.1).
  const redirects = record.redirect !== null && !record.terms.some(({ kind }) => kind === "all");
  const redirect = redirects ? await readReferred(walk, record.redirect ?? "", "redirects to") : null;
  return { domain, terms, redirect };
}

async function growTerm(walk: Walk, own: string, term: SpfTerm): Promise<SpfTree["terms"][number]> {
  const leaf = (networks: string[]) => ({ ...term, networks, tree: null });
  if (term.kind === "all") return leaf([]);
  if (term.address !== null) return leaf([networkOf(term.address, term)]);
  if (term.kind === "include")
    return { ...leaf([]), tree: await readReferred(walk, term.domain ?? "", "includes") };
  walk.lookups += 1;
  const domain = term.domain ?? own;
  // A macro expands only when mail arrives.
  if (walk.lookups > MAX_WALKED || domain.includes("%") || term.kind === "ptr") return leaf([]);
  const addresses = await addressesOf(walk, domain, term.kind);
  if (addresses.length === 0) walk.voids += 1;
  return leaf(term.kind === "exists" ? [] : addresses.map((address) => networkOf(address, term)));
}

async function addressesOf(walk: Walk, domain: string, kind: SpfTerm["kind"]): Promise<string[]> {
  const { look } = walk;
  if (kind !== "mx") return look.addresses(domain);
  const hosts = (await look.mailHosts(domain)).filter(({ exchange }) => exchange !== "");
  if (hosts.length > MAX_MX_HOSTS) walk.problem ??= `${domain} has more than ${MAX_MX_HOSTS} MX hosts`;
  const found = await Promise.all(
    hosts.slice(0, MAX_MX_HOSTS).map(({ exchange }) => look.addresses(exchange)),
  );
  return found.flat();
}

/** The record that an include or a redirect leads to; null when it leads nowhere, or isn't followed. */
async function readReferred(walk: Walk, domain: string, verb: string): Promise<SpfTree | null> {
  walk.lookups += 1;
  if (walk.lookups > MAX_WALKED || domain.includes("%")) return null;
  const found = await walk.look.texts(domain);
  const texts = spfTexts(found);
  const [text] = texts;
  if (found.length === 0) walk.voids += 1;
  if (text === undefined) return reject(walk, `it ${verb} ${domain}, which has no SPF record`);
  if (texts.length > 1) return reject(walk, `it ${verb} ${domain}, which has ${texts.length} SPF records`);
  const record = readSpf(text);
  if ("mistake" in record)
    return reject(walk, `it ${verb} ${domain}, whose record has a mistake at ${record.mistake}`);
  return grow(walk, domain, record);
}

function reject(walk: Walk, problem: string): null {
  walk.problem ??= problem;
  return null;
}

const networkOf = (address: string, { bits }: SpfTerm): string =>
  isIP(address) === 4 ? `${address}/${bits.v4 ?? 32}` : `${address}/${bits.v6 ?? 128}`;

/** The networks that a record lets send. */
export function allowedNetworks({ terms, redirect }: SpfTree): string[] {
  const own = terms
    .filter(({ qualifier }) => qualifier === "+")
    .flatMap(({ networks, tree }) => [...networks, ...(tree === null ? [] : allowedNetworks(tree))]);
  return [...new Set([...own, ...(redirect === null ? [] : allowedNetworks(redirect))])];
}

/**
 * Whether a record lets the hosts of the service's domain send: it includes that domain's record, or passes each of
 * `networks` that the service's own record passes. The first match decides (RFC 7208, section 4.6).
 */
export function authorises(tree: SpfTree, mail_domain: string, networks: readonly string[]): boolean {
  const by_name = resultOf(
    tree,
    ({ kind, domain }) => kind === "include" && domain === mail_domain,
    mail_domain,
  );
  const by_address = () =>
    networks.every(
      (network) => resultOf(tree, (term) => term.networks.some((own) => contains(own, network))) === "+",
    );
  return by_name === "+" || (networks.length > 0 && by_address());
}

function resultOf(
  tree: SpfTree,
  matches: (term: SpfTree["terms"][number]) => boolean,
  redirect_match?: string,
): SpfQualifier {
  for (const term of tree.terms) {
    const included = term.tree !== null && resultOf(term.tree, matches, redirect_match) === "+";
    if (term.kind === "all" || included || matches(term)) return term.qualifier;
  }
  if (tree.redirect === null) return "?";
  return tree.redirect.domain === redirect_match ? "+" : resultOf(tree.redirect, matches, redirect_match);
}

/** Whether a network lies within another. */
function contains(outer: string, inner: string): boolean {
  const [address = "", bits = ""] = inner.split("/");
  const [, outer_bits = ""] = outer.split("/");
  return Number(outer_bits) <= Number(bits) && isInNetworks(address, networkList([outer]));
}

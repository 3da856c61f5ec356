import { isIP } from "node:net";

/** The result for mail that a mechanism matches: pass, fail, softfail or neutral (RFC 7208, section 4.6.2). */
export type SpfQualifier = "+" | "-" | "~" | "?";

/** A mechanism of an SPF record. */
export interface SpfTerm {
  text: string;
  qualifier: SpfQualifier;
  kind: "all" | "include" | "a" | "mx" | "ptr" | "ip4" | "ip6" | "exists";
  /** Null when the mechanism is about the record's own domain. It may have macros. */
  domain: string | null;
  /** The address of `ip4` and `ip6`. */
  address: string | null;
  /** The prefix lengths; null when not given. */
  bits: { v4: number | null; v6: number | null };
}

/** An SPF record that is well-formed. */
export interface SpfRecord {
  terms: SpfTerm[];
  redirect: string | null;
}

/** Longer records fit no answer that receivers accept, and are not read. */
const MAX_SPF_CHARS = 2_048;
const VERSION = /^v=spf1(?: |$)/i;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const MECHANISM = /^([+~?-]?)(all|include|a|mx|ptr|exists)(?::([^/]+))?(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/i;
const ADDRESS = /^([+~?-]?)(ip4|ip6):([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;
/** A domain-spec ends in a macro, or in a label after a dot (RFC 7208, section 7.1). */
const DOMAIN_SPEC = /^[!-~]*(?:\.[a-z0-9-]*[a-z][a-z0-9-]*\.?|%\{[slodiphcrtv]\d*r?[.+,/_=-]*\})$/i;
/** Mechanisms that mean nothing without a domain. */
const NEED_DOMAIN = new Set(["include", "exists"]);
const HAVE_NETWORK = new Set(["a", "mx"]);

/** The texts that are SPF records, whether or not they are well-formed. */
export const spfTexts = (texts: readonly string[]): string[] => texts.filter((text) => VERSION.test(text));

/** Reads an SPF record (RFC 7208, section 12); `mistake` is the part that isn't well-formed. */
export function readSpf(text: string): SpfRecord | { mistake: string } {
  if (text.length > MAX_SPF_CHARS) return { mistake: `character ${MAX_SPF_CHARS}, where it is too long` };
  const terms: SpfTerm[] = [];
  const modifiers = new Map<string, string>();
  for (const part of text.split(" ").slice(1)) {
    if (part === "") continue;
    const [, name = "", value = ""] = MODIFIER.exec(part) ?? [];
    if (name !== "") {
      const modifier = name.toLowerCase();
      const known = modifier === "redirect" || modifier === "exp";
      if (known && (modifiers.has(modifier) || !DOMAIN_SPEC.test(value))) return { mistake: part };
      modifiers.set(modifier, value);
      continue;
    }
    const term = readTerm(part);
    if (term === undefined) return { mistake: part };
    terms.push(term);
  }
  const redirect = modifiers.get("redirect");
  return { terms, redirect: redirect === undefined ? null : redirect.toLowerCase().replace(/\.$/, "") };
}

function readTerm(text: string): SpfTerm | undefined {
  const named = MECHANISM.exec(text);
  if (named !== null) {
    const [, sign = "", name = "", spec, v4, v6] = named;
    const kind = name.toLowerCase() as SpfTerm["kind"];
    const bits = { v4: numberOrNull(v4), v6: numberOrNull(v6) };
    const fits =
      (spec === undefined ? !NEED_DOMAIN.has(kind) : kind !== "all" && DOMAIN_SPEC.test(spec)) &&
      ((bits.v4 === null && bits.v6 === null) || HAVE_NETWORK.has(kind)) &&
      (bits.v4 ?? 0) <= 32 &&
      (bits.v6 ?? 0) <= 128;
    const domain = spec === undefined ? null : spec.toLowerCase().replace(/\.$/, "");
    return fits ? { text, qualifier: qualifierOf(sign), kind, domain, address: null, bits } : undefined;
  }
  const [, sign = "", name = "", address = "", length] = ADDRESS.exec(text) ?? [];
  const kind = name.toLowerCase() === "ip4" ? "ip4" : "ip6";
  const bits = numberOrNull(length);
  if (isIP(address) !== (kind === "ip4" ? 4 : 6) || (bits ?? 0) > (kind === "ip4" ? 32 : 128))
    return undefined;
  return {
    ...{ text, qualifier: qualifierOf(sign), kind, domain: null, address },
    bits: kind === "ip4" ? { v4: bits, v6: null } : { v4: null, v6: bits },
  };
}

const qualifierOf = (sign: string): SpfQualifier => (sign === "" ? "+" : (sign as SpfQualifier));
const numberOrNull = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

/** The `all` mechanisms from strictest to mildest: a merge of several records keeps the mildest. */
const ALL_BY_STRICTNESS = ["-all", "~all", "?all", "+all"];

/**
 * Merges SPF records into one that allows whatever any of them allows, and the service's domain too. A `redirect`
 * becomes an include where another record has other mechanisms.
 */
export function mergedSpf(texts: readonly string[], mail_domain: string): string {
  const parts = texts.flatMap((text) => text.split(" ").slice(1)).filter((part) => part !== "");
  const redirects = parts.filter((part) => /^redirect=/i.test(part));
  const alls = parts.map((part) => (/^all$/i.test(part) ? "+all" : part.toLowerCase()));
  const all = ALL_BY_STRICTNESS.findLast((strictness) => alls.includes(strictness));
  const include = `include:${mail_domain}`;
  const rest = parts.filter((part) => !/^(?:[+~?-]?all|redirect=.*)$/i.test(part) && part !== include);
  const is_redirected = all === undefined && new Set(redirects).size === 1;
  const included = is_redirected ? [] : redirects.map((part) => part.replace(/^redirect=/i, "include:"));
  const end = is_redirected ? (redirects[0] ?? "") : (all ?? "~all");
  return ["v=spf1", ...new Set([include, ...rest, ...included]), end].join(" ");
}

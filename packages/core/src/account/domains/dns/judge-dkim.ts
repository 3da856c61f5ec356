import { createPublicKey } from "node:crypto";
import { invalid, isQuoted, type Judgement, missing, shown, valid } from "./judge.ts";

/** Shorter beginnings of a key are chance. */
const MIN_CUT_CHARS = 40;

/** Judges what is published in place of a DKIM record (RFC 6376, section 3.6.1). */
export function judgeDkim(name: string, wanted: string, texts: readonly string[]): Judgement {
  const found = [...texts];
  const [text, ...others] = texts.filter((candidate) => /(?:^|;|\s)p\s*=/.test(candidate));
  if (text === undefined && found.some((candidate) => candidate.trim() !== ""))
    return invalid(`The TXT record at ${name} is no DKIM key; replace it with the value shown.`, found);
  if (text === undefined) return missing(`Add a TXT record at ${name} with the value shown.`);
  if (others.length > 0)
    return invalid(`There are ${others.length + 1} keys at ${name}, and only one may be; keep ours.`, found);
  const problem = problemOf(readTags(text), readTags(wanted), text);
  return problem === null ? valid(found) : invalid(problem.replace("%s", name), found);
}

/** The tags of a record; undefined when it isn't a list of tags, or has one twice (RFC 6376, section 3.2). */
function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.split(";")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name === "" || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).replace(/\s+/g, ""));
  }
  return tags;
}

function problemOf(
  tags: Map<string, string> | undefined,
  ours: Map<string, string> | undefined,
  text: string,
): string | null {
  if (isQuoted(text) || text.includes("\\;"))
    return "The key at %s was published with quotation marks or backslashes; paste the value without them.";
  if (tags === undefined) return "The record at %s isn't a list of tags; copy the value shown anew.";
  const version = tags.get("v");
  if (version !== undefined && (version !== "DKIM1" || [...tags.keys()][0] !== "v"))
    return "The record at %s must begin with v=DKIM1; copy the value shown anew.";
  const key = tags.get("p") ?? "";
  if (key === "") return "The key at %s is revoked (p= is empty); copy the value shown anew.";
  const other = otherKey(key, ours?.get("p") ?? "", tags.get("k") ?? "rsa");
  if (other !== null) return other;
  if (!listed(tags.get("h"), "sha256") || !listed(tags.get("s"), "email"))
    return "The record at %s doesn't allow e-mail signed with SHA-256; remove its tags h= and s=.";
  return listed(tags.get("t") ?? "none", "y")
    ? "The key at %s is marked as a test (t=y), so that receivers may ignore it; remove that tag."
    : null;
}

/** Why a published key isn't ours; null when it is. */
function otherKey(key: string, ours: string, type: string): string | null {
  if (key === ours && type === "rsa") return null;
  if (type !== "rsa")
    return `The key at %s is of the type ${shown(type)}, and ours is RSA; copy the value shown anew.`;
  if (key.length >= MIN_CUT_CHARS && ours.startsWith(key))
    return `The key at %s is cut off after ${key.length} characters; split the value into strings of at most 255 characters.`;
  if (key.toLowerCase() === ours.toLowerCase())
    return "The key at %s has lost the difference between capitals and small letters; copy the value shown anew.";
  const bits = rsaBits(key);
  if (bits === null) return "The key at %s can't be read; copy the value shown anew.";
  return bits === rsaBits(ours)
    ? "The key at %s is another one; replace it with the value shown."
    : `The key at %s is another one, with ${bits} bits where ours has ${rsaBits(ours)}; replace it with the value shown.`;
}

function rsaBits(key: string): number | null {
  try {
    const parsed = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return parsed.asymmetricKeyDetails?.modulusLength ?? null;
  } catch {
    return null;
  }
}

/** Whether a colon-separated list contains a word; an absent list allows all. */
const listed = (list: string | undefined, word: string): boolean =>
  list === undefined ||
  list.split(":").some((entry) => entry === word || (entry === "*" && word === "email"));

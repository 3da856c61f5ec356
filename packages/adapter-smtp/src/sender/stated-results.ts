import type { ArcChain } from "@letterslot/core/ports";

/**
 * The DMARC and DKIM results stated in an ARC-Authentication-Results header (RFC 8617, section 4.1.1; RFC
 * 8601, section 2.2). Skips comments, and never reads a result or property from quoted text, which senders
 * can influence. Linear time.
 */
export function readStatedResults(value: string): ArcChain["stated"] {
  const stated: ArcChain["stated"] = { dmarc: [], dkim: [] };
  for (const [first = "", ...properties] of statementsOf(value.toLowerCase())) {
    const [, method, result = ""] = /^(dmarc|dkim)(?:\/\d+)?=([a-z]+)$/.exec(first) ?? [];
    if (method === "dmarc") stated.dmarc.push({ result, from: domainIn(properties, "header.from") });
    if (method === "dkim") {
      stated.dkim.push({
        result,
        domain: domainIn(properties, "header.d") || domainIn(properties, "header.i"),
      });
    }
  }
  return stated;
}

function domainIn(properties: readonly string[], name: string): string {
  const value = properties.find((property) => property.startsWith(`${name}=`)) ?? "";
  return value.slice(Math.max(value.lastIndexOf("="), value.lastIndexOf("@")) + 1);
}

/**
 * Splits a header into statements at semicolons, and each into words (RFC 5322, section 3.2). A word that
 * begins with a quote keeps it.
 */
function statementsOf(value: string): string[][] {
  const statements: string[][] = [[]];
  let word = "";
  let quoted = false;
  let comments = 0;
  const endWord = () => {
    if (word !== "") statements.at(-1)?.push(word);
    word = "";
  };
  for (const [token] of value.matchAll(/\\[^]|["();]|\s+|[^"();\s\\]+|\\/g)) {
    if (token === "(" && !quoted) comments += 1;
    else if (token === ")" && comments > 0) comments -= 1;
    else if (comments > 0) continue;
    else if (token === '"') [quoted, word] = [!quoted, word || '"'];
    else if (quoted) word += token;
    else if (token === ";") statements.push((endWord(), []));
    else if (/\s/.test(token)) endWord();
    else word += token;
  }
  endWord();
  return statements;
}

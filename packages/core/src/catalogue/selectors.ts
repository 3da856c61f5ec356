/** The selector of a custom domain's first DKIM key: `ls-` and the last six characters of the domain's id. */
export const firstSelector = (domain_id: string): string => `ls-${domain_id.slice(-6)}`;

/** The selector after this one: `ls-abc123`, `ls-abc123-2`, `ls-abc123-3`. */
export function selectorAfter(selector: string): string {
  const [ls, name, number = "1"] = selector.split("-");
  return `${ls}-${name}-${Number(number) + 1}`;
}

/** Whether a selector has the form of those above, whoever published a key there. */
export const isOurSelector = (selector: string): boolean => /^ls-[a-z0-9]{6}(?:-\d+)?$/i.test(selector);

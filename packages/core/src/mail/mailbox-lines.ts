/**
 * The mailboxes of lines that a person wrote, one with a name or several addresses a line, as sending takes them: names
 * are quoted, as people write them without.
 */
export const mailboxesInLines = (lines: string): string[] => lines.split("\n").flatMap(mailboxesIn);

function mailboxesIn(line: string): string[] {
  const [, name = "", address] = /^(.*?)\s*<([^<>]*)>\s*$/.exec(line.trim()) ?? [];
  if (address === undefined) return line.split(/[\s,;]+/).filter((word) => word !== "");
  if (name === "" || name.startsWith('"')) return [line.trim()];
  return [`"${name.replace(/(["\\])/g, "\\$1")}" <${address}>`];
}

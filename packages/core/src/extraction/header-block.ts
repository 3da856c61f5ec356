import { type HeaderKind, headerLabels } from "./header-labels.ts";
import { MAX_BLOCK_LINES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";

const KINDS = ["other", "subject", "to", "date", "from"] as const;
const kindsOf = labelTable();
const labels = [...kindsOf.keys()].sort((a, b) => b.length - a.length);
const LABEL = /^([\p{L}\p{M}][\p{L}\p{M} -]{0,24}?) ?[:：]/u;
const ANY_LABEL = new RegExp(`(?:^|[^\\p{L}])(${labels.join("|")}) ?[:：]`, "gu");
const LABEL_CHARS = 28;
const LABELS_OF_A_BLOCK = 3;
const FOLDED_LINES = 2;
const BLANK_LINES = 3;

/**
 * Whether the header of a quoted or forwarded mail begins at `at`: From with two more of Sent, To and Subject within a few
 * lines, or three labels within one line (clients that lose the line breaks). An address or a subject must be among them, so
 * that a form like "From: Rome / To: Oslo / Date: 5 May" stays.
 */
export function headerBlockAt(lines: readonly Line[], at: number): boolean {
  const first = lines[at];
  const start = first && kindsIn(first);
  if (first === undefined || start === undefined || start.includes("other")) return false;
  if (isFlatBlock(first.bare)) return true;
  const seen = new Set<HeaderKind>();
  let address = false;
  let timed = false;
  let folded = 0;
  let blank = 0;
  for (let next = at; next < lines.length && next < at + MAX_BLOCK_LINES; next += 1) {
    const line = lines[next] as Line;
    const kinds = kindsIn(line);
    if (kinds === undefined) {
      if (isBlank(line)) blank += 1;
      if (!isBlank(line)) folded += 1;
      if (folded > FOLDED_LINES || blank > BLANK_LINES) return false;
      if (!isBlank(line) && line.bare.includes("@")) address = true;
      continue;
    }
    folded = 0;
    if (kinds.includes("date")) timed = timed || /\d:\d{2}/.test(line.bare);
    address = address || line.bare.includes("@");
    seen.add(kinds.find((kind) => !seen.has(kind)) ?? "other");
    if (isBlock(seen, address) || (timed && address && seen.has("date") && seen.has("to") && at + 2 > next)) return true;
  }
  return false;
}

/** Whether the line begins with a label of a mail header, in any language. */
export function isHeaderLabel(line: Line | undefined): boolean {
  return line !== undefined && kindsIn(line) !== undefined;
}

function isBlock(seen: ReadonlySet<HeaderKind>, address: boolean): boolean {
  const known = [...seen].filter((kind) => kind !== "other").length;
  return seen.has("from") && known >= LABELS_OF_A_BLOCK && (address || seen.has("subject"));
}

function isFlatBlock(bare: string): boolean {
  if (bare.split(/[:：]/, LABELS_OF_A_BLOCK + 1).length <= LABELS_OF_A_BLOCK) return false;
  const seen = new Set<HeaderKind>();
  for (const match of bare.matchAll(ANY_LABEL)) {
    const kinds = kindsOf.get(match[1] ?? "") ?? [];
    const kind = kinds.find((one) => !seen.has(one));
    if (kind) seen.add(kind);
  }
  return isBlock(seen, bare.includes("@"));
}

function kindsIn(line: Line): readonly HeaderKind[] | undefined {
  if (!/[:：]/.test(line.bare.slice(0, LABEL_CHARS))) return undefined;
  const label = LABEL.exec(line.bare)?.[1];
  return label === undefined ? undefined : kindsOf.get(label);
}

// "data" is a date in Polish and "a" is To in Italian: one label may say several things.
function labelTable(): Map<string, HeaderKind[]> {
  const table = new Map<string, HeaderKind[]>();
  for (const language of headerLabels)
    for (const kind of KINDS)
      for (const label of language[kind]) table.set(label, [...new Set([...(table.get(label) ?? []), kind])]);
  return table;
}

/** The literals that occur in a text. */
export type FoundLiterals = ReadonlySet<string>;

/**
 * Whether any of these literals was found. Most texts contain hardly any literal, so the found ones are checked, not
 * the wanted ones.
 */
export function holdsAny(found: FoundLiterals, wanted: ReadonlySet<string>): boolean {
  for (const literal of found) if (wanted.has(literal)) return true;
  return false;
}

const ROOT = 0;
const NEWLINE = 10;

/**
 * Compiles literals into a search that finds in one pass which of them a text contains, whatever their number (the
 * automaton of Aho and Corasick, 1975). Its cost depends on the length of the text alone. The text starts like a line,
 * so a literal that begins with a newline also matches there.
 */
export function literalFinder(literals: Iterable<string>): (units: Uint16Array) => FoundLiterals {
  const distinct = new Set(literals);
  const numbers = classesOf(distinct);
  const width = numbers.size + 1;
  const { next, ends } = automaton(distinct, numbers, width);
  const classes = Uint8Array.from(
    { length: Math.max(...numbers.keys()) + 1 },
    (_, code) => numbers.get(code) ?? 0,
  );
  // The offset of the next state's row, or its complement if a literal ends there.
  const steps = Int32Array.from(next, (state) =>
    ends[state] === undefined ? state * width : ~(state * width),
  );
  const newline = (next[numbers.get(NEWLINE) ?? 0] ?? ROOT) * width;
  return (units) => {
    const found = new Set<string>();
    const { length } = units;
    let row = newline;
    for (let at = 0; at < length; at += 1) {
      const unit = units[at] ?? 0;
      row = steps[row + (unit < classes.length ? (classes[unit] ?? 0) : 0)] ?? ROOT;
      if (row >= 0) continue;
      row = ~row;
      for (const literal of ends[row / width] ?? []) found.add(literal);
    }
    return found;
  };
}

/** Numbers each character that occurs in a literal; all others are 0. */
function classesOf(literals: Iterable<string>): Map<number, number> {
  const classes = new Map<number, number>();
  for (const literal of literals)
    for (let at = 0; at < literal.length; at += 1) {
      const code = literal.charCodeAt(at);
      if (!classes.has(code)) classes.set(code, classes.size + 1);
    }
  return classes;
}

/** The state that follows each state and class, row by row, and the literals that end at each state. */
function automaton(
  literals: Iterable<string>,
  classes: ReadonlyMap<number, number>,
  width: number,
): { next: number[]; ends: Array<readonly string[] | undefined> } {
  const next: number[] = Array.from({ length: width }, () => ROOT);
  const ends: Array<readonly string[] | undefined> = [undefined];
  for (const literal of literals) {
    let state = ROOT;
    for (let at = 0; at < literal.length; at += 1) {
      const step = state * width + (classes.get(literal.charCodeAt(at)) ?? 0);
      if (next[step] === ROOT) {
        next[step] = ends.length;
        ends.push(undefined);
        for (let each = 0; each < width; each += 1) next.push(ROOT);
      }
      state = next[step] ?? ROOT;
    }
    ends[state] = [literal];
  }
  linkSuffixes(next, ends, width);
  return { next, ends };
}

/**
 * Completes the automaton: where the trie has no step, it continues from the longest suffix that has one. Works in
 * order of length.
 */
function linkSuffixes(next: number[], ends: Array<readonly string[] | undefined>, width: number): void {
  const suffix: number[] = ends.map(() => ROOT);
  const queue: number[] = [ROOT];
  for (const state of queue) {
    const shorter = suffix[state] ?? ROOT;
    for (let each = 0; each < width; each += 1) {
      const step = state * width + each;
      const child = next[step] ?? ROOT;
      const beside = state === ROOT ? ROOT : (next[shorter * width + each] ?? ROOT);
      if (child === ROOT) {
        next[step] = beside;
        continue;
      }
      suffix[child] = beside;
      const inner = ends[beside];
      if (inner !== undefined) ends[child] = [...(ends[child] ?? []), ...inner];
      queue.push(child);
    }
  }
}

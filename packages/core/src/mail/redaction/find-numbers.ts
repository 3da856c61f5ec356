/**
 * Receives a number of six digits that was found in a text. `spans` are the start and end of each piece of it, in turn;
 * the breaks lie between them. `shown`: readers see it, so it is in no tag and is no colour.
 */
type TakeNumber = (digits: string, spans: readonly number[], shown: boolean) => void;

/** Digits of a code. */
const CODE_DIGITS = 6;

/**
 * A tag or comment, digits, or a digit as an entity or of another script. `[^<>]` stops at the next tag, so that each
 * character is read once.
 */
const SIGN =
  /<!--[^]{0,300}?-->|<[a-z/!?][^<>]*>|([0-9]+)|&(?:amp;){0,9}#(?:x0{0,9}3([0-9])|0{0,9}(4[89]|5[0-7]));?|[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u24ea]/giu;

/** The characters that can be invisible within a number, or that a line break leaves there. */
const HIDDEN_GAP =
  /^(?:[\0\p{Cf}\p{Mn}\u115f\u1160\u3164\uffa0]|&(?:amp;){0,9}(?:shy|zwn?j|zerowidthspace|nobreak|#(?:x0{0,9}(?:ad|200[b-f]|2060|feff)|0{0,9}(?:173|820[3-7]|8288|65279)));?|\r?\n[ \t>|]*|=[ \t]*\r?\n)+$/iu;
/** The separators that people and programs put between the groups of one number. */
const SHOWN_GAP =
  /^(?:[\s\0\p{Cf}\p{Zs}\p{Pd}_*|>.,·'’]|&(?:amp;){0,9}(?:nbsp|shy|ensp|emsp|thinsp|#(?:x0{0,9}(?:20|a0)|0{0,9}(?:32|160)));?)+$/iu;
/** Longer gaps are words between two numbers. */
const MAX_GAP_CHARS = 60;

/** The kind of text between two digits, apart from tags. */
type Gap = "none" | "hidden" | "shown" | "wall";

/** Digits in a row. */
interface Group {
  digits: string;
  start: number;
  end: number;
  /** The gap before it. */
  gap: Gap;
}

/**
 * Finds the numbers of six digits in a text: of any script, as entities, with tags, invisible characters or line ends
 * anywhere within, with blanks or dashes between groups of one length. Linear in the text.
 */
export function forEachNumber(text: string, take: TakeNumber): void {
  const chain = createChain((groups) => {
    const [first] = groups;
    const is_colour = first !== undefined && text[first.start - 1] === "#";
    take(groups.map(({ digits }) => digits).join(""), spansOf(groups), !is_colour);
  });
  let at = 0;
  let between = "";
  const signs = new RegExp(SIGN);
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const [written, run, hex, decimal] = sign;
    const start = sign.index;
    if (between.length <= MAX_GAP_CHARS) between += text.slice(at, Math.min(start, at + MAX_GAP_CHARS + 1));
    at = start + written.length;
    if (run === undefined && written.startsWith("<")) {
      numbersInTag(written, start, take);
      // A tag alone shows nothing, but it separates the digits.
      if (between === "") between = "\0";
      continue;
    }
    const digits =
      run ?? hex ?? (decimal === undefined ? digitOf(written) : String.fromCharCode(Number(decimal)));
    chain.add({ digits, start, end: at, gap: gapOf(between) });
    between = "";
  }
  chain.end();
}

/** Finds the numbers within a tag, such as those of its attributes. */
function numbersInTag(tag: string, offset: number, take: TakeNumber): void {
  if (!/[0-9]|[^\0-\x7f]/.test(tag)) return;
  forEachNumber(tag.slice(1), (digits, spans) =>
    take(
      digits,
      spans.map((position) => position + offset + 1),
      false,
    ),
  );
}

function gapOf(between: string): Gap {
  if (between === "") return "none";
  if (between.length > MAX_GAP_CHARS) return "wall";
  if (HIDDEN_GAP.test(between)) return "hidden";
  return SHOWN_GAP.test(between) ? "shown" : "wall";
}

const spansOf = (groups: readonly Group[]): number[] => groups.flatMap(({ start, end }) => [start, end]);

/** Collects groups of digits in turn, and hands over those that together are one number of six. */
function createChain(take: (groups: readonly Group[]) => void) {
  /** The groups before the open one that may still become part of a number. */
  let before: Group[] = [];
  let open: Group | undefined;

  function close(): void {
    if (open === undefined) return;
    if (open.gap === "wall") before = [];
    before.push(open);
    open = undefined;
    let length = 0;
    for (let from = before.length - 1; from >= 0; from -= 1) {
      length += before[from]?.digits.length ?? 0;
      if (length < CODE_DIGITS) continue;
      const groups = before.slice(from);
      if (length === CODE_DIGITS && isOneNumber(groups)) take(groups);
      before = before.slice(from + 1);
      break;
    }
  }

  return {
    add(group: Group): void {
      if (group.gap === "none" && open !== undefined)
        open = { ...open, digits: open.digits + group.digits, end: group.end };
      else {
        close();
        open = group;
      }
    },
    end: close,
  };
}

/** Whether groups read as one number: either nothing visible divides them, or it divides them into equal parts. */
function isOneNumber(groups: readonly Group[]): boolean {
  const parts: number[] = [];
  for (const [index, { digits, gap }] of groups.entries()) {
    if (index === 0 || gap === "shown") parts.push(digits.length);
    else parts.push((parts.pop() ?? 0) + digits.length);
  }
  return parts.every((length) => length === parts[0]);
}

/** Returns the value of a digit of any script: each script's ten digits are consecutive, starting at zero. */
function digitOf(written: string): string {
  const folded = written.normalize("NFKC");
  if (/^[0-9]$/.test(folded)) return folded;
  const code = written.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

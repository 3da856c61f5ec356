import type { Terminal } from "./terminal.ts";
import { fitted, jsonLine, lines, oneLine, padded, widthOf } from "./text.ts";

/** A record of the API, as it came. */
export type Shown = Readonly<Record<string, unknown>>;

/** A column of a table. */
export interface Column<T extends Shown = Shown> {
  title: string;
  /** The cell's text; an absent value is shown as nothing. */
  of(record: T): unknown;
  /** It may be cut where the terminal is narrow. */
  cut?: true;
}

/**
 * The output of commands. On a terminal it is formatted for people: tables, records line by line, sentences. Piped or
 * with `--json` it is JSON, one line per record.
 */
export interface Output {
  json: boolean;
  /** Shows a list as a table, as it comes; `none` is shown to people if it is empty. */
  list<T extends Shown>(
    items: Iterable<T> | AsyncIterable<T>,
    columns: readonly Column<T>[],
    none: string,
  ): Promise<void>;
  /** Shows what comes, each row at once. */
  follow(items: AsyncIterable<Shown>, columns: readonly Column[]): Promise<void>;
  /** Shows one record. */
  record(record: Shown): Promise<void>;
  /** Reports a finished action: the sentence to people, and the record to programs. */
  done(sentence: string, record: Shown): Promise<void>;
  /** Shows a text with its lines to people, and the record to programs. */
  text(text: string, record: Shown): Promise<void>;
}

const GAP = "  ";
/** A column that may be cut keeps at least so many characters. */
const SHORTEST_CUT = 12;
/** The table's widths are those of its first rows, so that a long list shows at once. */
const ROWS_AT_ONCE = 100;

/** Makes the output of a command. `json` asks for JSON on a terminal too. */
export function createOutput(terminal: Terminal, json: boolean): Output {
  const asJson = json || terminal.stdout.isTTY !== true;
  const line = (text: string) => terminal.write(`${text}\n`);
  return {
    json: asJson,
    async list(items, columns, none) {
      if (asJson) {
        for await (const item of items) await line(jsonLine(item));
        return;
      }
      await writeTable(terminal, items, columns, none);
    },
    async follow(items, columns) {
      let widths = columns.map(() => 0);
      for await (const item of items) {
        const row = columns.map((column) => cell(column.of(item)));
        const grown = widthsOf(columns, [row], terminal.width);
        widths = widths.map((width, index) =>
          columns[index]?.cut === true ? 0 : Math.max(width, grown[index] ?? 0),
        );
        const shown = widths.map((width, index) => (width === 0 ? (grown[index] ?? 0) : width));
        await line(asJson ? jsonLine(item) : rowOf(row, shown, columns));
      }
    },
    record: (record) => line(asJson ? jsonLine(record) : shownRecord(record, terminal)),
    done: (sentence, record) => line(asJson ? jsonLine(record) : terminal.typed(lines(sentence))),
    text: (text, record) => line(asJson ? jsonLine(record) : lines(text).trimEnd()),
  };
}

async function writeTable(
  terminal: Terminal,
  items: Iterable<Shown> | AsyncIterable<Shown>,
  columns: readonly Column[],
  none: string,
): Promise<void> {
  let rows: string[][] = [];
  let widths: number[] | undefined;
  const flush = async () => {
    if (rows.length === 0) return;
    const first = widths === undefined;
    widths ??= widthsOf(columns, rows, terminal.width);
    const heading = rowOf(
      columns.map(({ title }) => title.toUpperCase()),
      widths,
      columns,
    );
    const text = rows.map((row) => rowOf(row, widths ?? [], columns)).join("\n");
    rows = [];
    await terminal.write(first ? `${terminal.style("bold", heading)}\n${text}\n` : `${text}\n`);
  };
  let count = 0;
  for await (const item of items) {
    count++;
    rows.push(columns.map((column) => cell(column.of(item))));
    if (rows.length >= ROWS_AT_ONCE) await flush();
  }
  await flush();
  if (count === 0) terminal.note(terminal.typed(none));
}

/**
 * Returns the width of each column: that of its cells; if they need too much, the columns that may be cut share the
 * rest.
 */
function widthsOf(columns: readonly Column[], rows: readonly string[][], limit: number): number[] {
  const needed = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? ""))),
  );
  const total = needed.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1);
  let excess = total - limit;
  const cut = columns.flatMap(({ cut: may_cut }, index) => (may_cut === true ? [index] : []));
  while (excess > 0) {
    const widest = cut.reduce(
      (best, index) => ((needed[index] ?? 0) > (needed[best] ?? 0) ? index : best),
      cut[0] ?? -1,
    );
    if (widest < 0 || (needed[widest] ?? 0) <= SHORTEST_CUT) break;
    needed[widest] = (needed[widest] ?? 0) - 1;
    excess--;
  }
  return needed;
}

function rowOf(cells: readonly string[], widths: readonly number[], columns: readonly Column[]): string {
  return cells
    .map((text, index) => {
      const width = widths[index] ?? 0;
      return padded(columns[index]?.cut === true ? fitted(text, width) : text, width);
    })
    .join(GAP)
    .trimEnd();
}

/** A value as a cell: lists joined by commas, objects as JSON, absent ones as nothing. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(cell).join(", ");
  if (typeof value === "object") return jsonLine(value);
  return oneLine(typeof value === "string" ? value : jsonLine(value));
}

/** A record for people: a line for each field, fields of fields as `field.name`. */
function shownRecord(record: Shown, terminal: Terminal): string {
  const fields = flattened(record).filter(([name]) => name !== "object");
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => {
      const text = typeof value === "string" ? lines(value) : cell(value);
      const indented = text.split("\n").join(`\n${" ".repeat(width + GAP.length)}`);
      return `${terminal.style("dim", padded(name, width))}${GAP}${indented}`.trimEnd();
    })
    .join("\n");
}

function flattened(record: Shown, prefix = ""): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const plain = typeof value === "object" && value !== null && !Array.isArray(value);
    return plain ? flattened(value as Shown, `${prefix}${name}.`) : [[`${prefix}${name}`, value]];
  });
}

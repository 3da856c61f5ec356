/** What one file may cost and come to (interface, "Attachment text"). Sizes are bytes. */
export interface Bounds {
  input_bytes: number;
  inflated_bytes: number;
  /** Of inflated bytes to stored ones: for the file, and for each larger part of it. */
  ratio: number;
  rows: number;
  columns: number;
  /** Of the text that comes out. */
  chars: number;
}

/** Why a file has no text: it goes beyond a bound, or it can't be read. */
export type Refusal = "attachment_too_large" | "text_extraction_failed";

/**
 * A part that inflates to no more than this is no bomb, whatever its ratio: blank pages and tables compress
 * well.
 */
const harmlessBytes = 1024 * 1024;

/** The error that says that a file goes beyond a bound. */
export function tooLarge(what: string): Error {
  return Object.assign(new Error(`too large: ${what}`), {
    refusal: "attachment_too_large" satisfies Refusal,
  });
}

/** What an error while reading means. Whatever a reader throws at a hostile file, the file can't be read. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && "refusal" in error) return error.refusal as Refusal;
  // The engine's own bounds: a string, an array or a buffer that would be too long.
  return error instanceof RangeError && /invalid .*length|allocation failed/i.test(error.message)
    ? "attachment_too_large"
    : "text_extraction_failed";
}

/** Adds up what a file inflates to, and stops it when that goes beyond a bound. */
export interface InflationCount {
  /** Bytes that may still come. */
  left(): number;
  add(bytes: number): void;
  /** A part is at its end: so many bytes of the file became so many. */
  endPart(stored: number, inflated: number): void;
  /** The whole file is at its end. */
  end(): void;
}

/** Counts for a file of `stored` bytes. Its verbs fail with `attachment_too_large`. */
export function countInflation({ inflated_bytes, ratio }: Bounds, stored: number): InflationCount {
  let total = 0;
  return {
    left: () => inflated_bytes - total,
    add(bytes) {
      total += bytes;
      if (total > inflated_bytes) throw tooLarge("inflated size");
    },
    endPart(part, inflated) {
      if (inflated > harmlessBytes && inflated > part * ratio) throw tooLarge("compression ratio of a part");
    },
    end() {
      if (total > stored * ratio) throw tooLarge("compression ratio");
    },
  };
}

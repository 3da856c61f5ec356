/** Limits for one file (interface, "Attachment text"). Sizes are in bytes. */
export interface Limits {
  input_bytes: number;
  inflated_bytes: number;
  /** Inflated to stored bytes, for the file and for each large part of it. */
  ratio: number;
  rows: number;
  columns: number;
  /** Characters of extracted text. */
  chars: number;
  /** Whether the sheets of a workbook come with their names. */
  sheet_names: boolean;
}

/** Why a file has no text: it exceeds a limit, or it is unreadable. */
export type Refusal = "attachment_too_large" | "text_extraction_failed";

/** Smaller parts may have any ratio: blank pages and tables compress well. */
const MIN_RATIO_BYTES = 1024 * 1024;

/** The error for a file that exceeds a limit. */
export function tooLarge(what: string): Error {
  return Object.assign(new Error(`too large: ${what}`), {
    refusal: "attachment_too_large" satisfies Refusal,
  });
}

/** Maps an error while reading to a refusal. Any unexpected error means that the file is unreadable. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Error && "refusal" in error) return error.refusal as Refusal;
  // The engine's own limits: a string, array or buffer would be too long.
  return error instanceof RangeError && /invalid .*length|allocation failed/i.test(error.message)
    ? "attachment_too_large"
    : "text_extraction_failed";
}

/** Counts inflated bytes, and throws when they exceed a limit. */
export interface InflationCount {
  /** Bytes still allowed. */
  left(): number;
  add(bytes: number): void;
  /** Ends a part that inflated from `stored` to `inflated` bytes. */
  endPart(stored: number, inflated: number): void;
  /** Ends the file. */
  end(): void;
}

/** Creates a counter for a file of `stored` bytes. Its methods throw `attachment_too_large`. */
export function countInflation({ inflated_bytes, ratio }: Limits, stored: number): InflationCount {
  let total = 0;
  return {
    left: () => inflated_bytes - total,
    add(bytes) {
      total += bytes;
      if (total > inflated_bytes) throw tooLarge("inflated size");
    },
    endPart(part, inflated) {
      if (inflated > MIN_RATIO_BYTES && inflated > part * ratio)
        throw tooLarge("compression ratio of a part");
    },
    end() {
      if (total > stored * ratio) throw tooLarge("compression ratio");
    },
  };
}

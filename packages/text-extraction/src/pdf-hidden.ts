import type { PDFPageProxy } from "unpdf/pdfjs";
import { placeOf, type TextItem } from "./pdf-lines.ts";
import { listRuns, SAME_LINE } from "./pdf-runs.ts";

/**
 * Finds which text of a page can't be seen: drawn without ink, fully transparent, or in white on nothing (only
 * judged with `judges_white`: a picture may be behind it). Returns a test for the page's items.
 */
export async function findHiddenText(
  page: PDFPageProxy,
  judges_white: boolean,
): Promise<(item: TextItem) => boolean> {
  const runs = await listRuns(page, judges_white);
  if (!runs.some(({ hidden }) => hidden)) return () => false;
  const lines = Map.groupBy(runs, ({ across }) => Math.round(across));
  return (item) => {
    const { start, end, across, size } = placeOf(item);
    const length = { seen: 0, hidden: 0 };
    const near = Math.ceil(SAME_LINE * size);
    for (let line = Math.round(across) - near; line <= Math.round(across) + near; line++) {
      for (const run of lines.get(line) ?? [])
        length[run.hidden ? "hidden" : "seen"] += Math.max(
          0,
          Math.min(end, run.end) - Math.max(start, run.start),
        );
    }
    return length.hidden > length.seen;
  };
}

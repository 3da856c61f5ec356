import { REPORT_HEADER, REPORT_WORD, RETURN_LOCAL_PART } from "../../catalogue/letter-words.ts";

const PATHS = new RegExp(`${RETURN_LOCAL_PART}|(${REPORT_HEADER}:?\\s{0,9})${REPORT_WORD}`, "gi");

/** Removes quoted return paths and report headers from another server's text: no key may learn them. */
export const withoutReturnPaths = (text: string): string =>
  text.replace(PATHS, (_, header: string | undefined) => `${header ?? ""}[removed]`);

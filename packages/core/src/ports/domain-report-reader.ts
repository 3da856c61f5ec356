import type { ReadDomainReport } from "../model/domain-reports.ts";

/**
 * Reads reports about domains that strangers made (RFC 9990, RFC 8460), packed or not, within limits and without blocking
 * anything else.
 */
export interface DomainReportReader {
  /**
   * What a report's file says; null for a file that is no report, is wrong in itself or exceeds a limit. Fails only if it
   * can't read reports now, for instance when too many wait.
   */
  read(file: Uint8Array): Promise<ReadDomainReport | null>;
}

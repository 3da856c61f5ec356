/**
 * A DNS record. `name` is absolute, in A-labels and lower case, without a dot at the end; so is the `value` of
 * an MX or CNAME. A TXT's value is its strings joined, without quotes. `type` is an upper-case word; values of
 * types other than TXT, MX and CNAME are only for people.
 */
export interface ZoneRecord {
  name: string;
  type: string;
  value: string;
  /** The preference of an MX record; null for other types. */
  priority: number | null;
}

/** Whether two records are the same in the DNS; names and hosts are in lower case in both. */
export function isSameRecord(one: ZoneRecord, other: ZoneRecord): boolean {
  return (
    one.name === other.name &&
    one.type === other.type &&
    one.value === other.value &&
    one.priority === other.priority
  );
}

/** The inboxes that name an account. */
export const NAMING_INBOXES = 2;

/**
 * The name of an account, which has none of its own: its first inboxes and how many more there are, such as
 * "ada@mail.example, bo@mail.example and 3 more". `emails` are its inboxes, or the first of `total`.
 */
export function accountName(emails: readonly string[], total = emails.length): string {
  const named = emails.slice(0, NAMING_INBOXES);
  const more = total - named.length;
  if (named.length === 0) return "an account without an inbox";
  if (more > 0) return `${named.join(", ")} and ${more} more`;
  return named.join(" and ");
}

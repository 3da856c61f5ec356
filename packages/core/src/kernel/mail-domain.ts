/** Whether an email address is outside this service. */
export function isExternal(email: string, mail_domain: string): boolean {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase() !== mail_domain;
}

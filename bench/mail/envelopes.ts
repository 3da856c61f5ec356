/** The sender and recipient of the SMTP envelope. */
export interface Envelope {
  from: string;
  to: string;
}

/** The numbers of senders, inboxes and domains in a simulated correspondence. */
export interface Correspondence {
  senders: number;
  inboxes: number;
  domains: number;
}

/** Enough of each that caches for a sender, an inbox or a domain do not decide the figures. */
export const MANY: Correspondence = { senders: 1_000, inboxes: 100, domains: 10 };
/** The same shape for a short run. */
export const FEW: Correspondence = { senders: 100, inboxes: 10, domains: 5 };

/** The sender where one is enough. */
export const SENDER = "ada@sender.example.com";

/**
 * One envelope for each sender, in the order in which they write. Senders are spread evenly over the domains, and
 * over the inboxes so that each inbox hears from several domains.
 */
export function planEnvelopes({ senders, inboxes, domains }: Correspondence, domain: string): Envelope[] {
  return Array.from({ length: senders }, (_, number) => {
    const inbox = (number + Math.floor(number / inboxes)) % inboxes;
    return { from: `ada${number}@sender${number % domains}.example.com`, to: `agent${inbox}@${domain}` };
  });
}

/** The domain of an address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

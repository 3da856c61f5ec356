import { customDomain, signingKey } from "../kernel/custom-domains.ts";
import { generateDkimKey } from "../kernel/dkim-key.ts";
import { domainOf } from "../kernel/mail-domain.ts";
import { createSeal } from "../kernel/secrets.ts";
import { serviceKey } from "../kernel/service-keys.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { Storage } from "../ports/storage.ts";

/** A key that signs mail with DKIM. `private_key` is PEM (PKCS #8) and a secret. */
export interface SigningKey {
  selector: string;
  private_key: string;
}

/** The keys that sign what this service sends. */
export interface SigningKeys {
  /** The key that signs mail from a domain: MAIL_DOMAIN's, or a custom domain's that an account has proven; else null. */
  find(domain: string): Promise<SigningKey | null>;
  /** The key of MAIL_DOMAIN; it is made when it is asked for the first time. */
  own(): Promise<SigningKey>;
}

/** Where the keys come from. */
export interface SigningKeysOptions {
  storage: Storage;
  /** Keys of 32 bytes: the first seals, all open. */
  encryption_keys: readonly Uint8Array[];
  mail_domain: string;
  /** The selector of the key of `mail_domain`: the DNS name that it is published at. */
  selector: string;
  /** The key of `mail_domain` as PEM, in place of the stored one; nothing is stored then. */
  own_key?: string;
  /** A key as PEM that signed before keys were stored: it is stored in place of a new one. */
  earlierKey?: () => Promise<string | undefined>;
  clock?: Clock;
}

/**
 * Finds the keys that sign mail. The key of MAIL_DOMAIN is sealed in storage and made once for all processes
 * that share it, one for each selector.
 */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { storage, selector, own_key, earlierKey, clock = systemClock } = options;
  const stores = { storage, seal: createSeal(options.encryption_keys) };
  const own_domain = domainOf(options.mail_domain);
  const make = async () => (await earlierKey?.()) ?? (await generateDkimKey());
  let found: Promise<string> | undefined;

  async function own(): Promise<SigningKey> {
    if (own_key !== undefined) return { selector, private_key: own_key };
    found ??= serviceKey(stores, { name: `dkim ${own_domain} ${selector}`, now: clock.now(), make });
    try {
      return { selector, private_key: await found };
    } catch (error) {
      found = undefined;
      throw error;
    }
  }

  return {
    own,
    async find(name) {
      const domain = domainOf(name);
      if (domain === own_domain) return own();
      const custom = await customDomain(storage, domain);
      return custom === undefined ? null : signingKey(stores, custom);
    },
  };
}

import { customDomain, signingKey } from "../../kernel/addresses/custom-domains.ts";
import { generateDkimKey } from "../../kernel/addresses/dkim-key.ts";
import { publicHalf, rememberKeys } from "../../kernel/addresses/known-keys.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { createSeal } from "../../kernel/secrets.ts";
import { serviceKey } from "../../kernel/service-keys.ts";
import { type Clock, systemClock } from "../../ports/clock.ts";
import type { Storage } from "../../ports/storage.ts";

/** A key that signs mail with DKIM. `private_key` is PEM (PKCS #8) and a secret. */
export interface SigningKey {
  selector: string;
  private_key: string;
}

/** The keys that sign what this service sends. */
export interface SigningKeys {
  /**
   * Finds the key that signs mail from a domain: MAIL_DOMAIN's, or that of a custom domain that an account has
   * proven; else null.
   */
  find(domain: string): Promise<SigningKey | null>;
  /** Returns the key of MAIL_DOMAIN; makes it on first use. */
  own(): Promise<SigningKey>;
}

/** The source of the signing keys. */
export interface SigningKeysOptions {
  storage: Storage;
  /** Keys of 32 bytes: the first seals, all open. */
  encryptionKeys: readonly Uint8Array[];
  mailDomain: string;
  /** The selector of the key of `mailDomain`: the DNS name that it is published at. */
  selector: string;
  /** The key of `mailDomain` as PEM, in place of the stored one; nothing is stored then. */
  ownKey?: string;
  /** A key as PEM that signed before keys were stored: it is stored in place of a new one. */
  earlierKey?: () => Promise<string | undefined>;
  clock?: Clock;
}

/** More than the selectors and mail domains that a service ever had. */
const MAX_STORED_KEYS = 1_000;

/** The public halves of all stored keys of this and earlier mail domains and selectors. */
async function earlierHalves({ storage, seal }: Pick<Services, "storage" | "seal">): Promise<string[]> {
  const stored = await storage.find("service_keys", { where: {}, limit: MAX_STORED_KEYS });
  const signing = stored.filter(({ name }) => name.startsWith("dkim "));
  return signing.map(({ sealed_key }) => publicHalf(seal.open(sealed_key)));
}

/**
 * Finds the keys that sign mail. The key of MAIL_DOMAIN is sealed in storage and made once per selector for all
 * processes that share it. Each key is recorded permanently as the service's own before it signs.
 */
export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { storage, selector, ownKey: own_key, earlierKey, clock = systemClock } = options;
  const stores = { storage, seal: createSeal(options.encryptionKeys) };
  const own_domain = domainOf(options.mailDomain);
  const make = async () => (await earlierKey?.()) ?? (await generateDkimKey());
  const name = `dkim ${own_domain} ${selector}`;
  let found: Promise<string> | undefined;

  /** The key of MAIL_DOMAIN, remembered before it signs. */
  async function prepare(): Promise<string> {
    const key = own_key ?? (await serviceKey(stores, { name, now: clock.now(), make }));
    await rememberKeys(storage, [publicHalf(key), ...(await earlierHalves(stores))]);
    return key;
  }

  async function own(): Promise<SigningKey> {
    found ??= prepare();
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

import type { Plans } from "./plans.ts";

/** The settings of a deployment. Core reads nothing from the environment; the server's `config.ts` does. */
export interface Options {
  /** The base of links and docs_url, without a trailing slash. */
  base_url: string;
  /** The domain of addresses that have no custom domain. */
  mail_domain: string;
  onboarding: "open" | "claimed" | "closed";
  /** Seconds to wait before each retry of a webhook delivery. */
  webhook_retries: readonly number[];
  /**
   * `interface`: any final non-2xx status is a failure. `durable`: 410 disables the webhook at once and 429
   * is retried.
   */
  webhook_profile: "interface" | "durable";
  screening_timeout_ms: number;
  /**
   * Domains whose ARC seal is trusted: their authentication results for mail that they forward count for
   * tasks (RFC 8617).
   */
  trusted_sealers: readonly string[];
  /** What accounts may use; null for no limits. */
  plans: Plans | null;
}

/** The two retries of the interface. */
export const INTERFACE_RETRIES = [5, 30] as const;

/** Eight attempts over about 28 hours, as in Standard Webhooks. */
export const DURABLE_RETRIES = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** The settings used for everything that a deployment leaves out. */
export const DEFAULT_OPTIONS: Options = {
  base_url: "http://localhost:8025",
  mail_domain: "letterslot.localhost",
  onboarding: "open",
  webhook_retries: INTERFACE_RETRIES,
  webhook_profile: "interface",
  screening_timeout_ms: 1000,
  trusted_sealers: [],
  plans: null,
};

/** What a deployment decides. Core reads nothing from the environment: the server's `config.ts` does. */
export interface Options {
  /** What links and docs_url begin with, without a slash at the end. */
  base_url: string;
  /** The domain of addresses without a custom domain. */
  mail_domain: string;
  onboarding: "open" | "claimed" | "closed";
  /** Seconds to wait before each further try of a webhook delivery. */
  webhook_retries: readonly number[];
  /** `interface`: any final non-2xx counts. `durable`: 410 disables at once and 429 is retried. */
  webhook_profile: "interface" | "durable";
  screening_timeout_ms: number;
  /**
   * Domains whose ARC seal is believed: what they found about mail that they pass on counts for tasks (RFC
   * 8617).
   */
  trusted_sealers: readonly string[];
}

/** The interface's two retries. */
export const interfaceRetries = [5, 30] as const;

/** Eight tries over about 28 hours, as Standard Webhooks has it. */
export const durableRetries = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** What a deployment decides if it says nothing. */
export const defaultOptions: Options = {
  base_url: "http://localhost:8025",
  mail_domain: "letterslot.localhost",
  onboarding: "open",
  webhook_retries: interfaceRetries,
  webhook_profile: "interface",
  screening_timeout_ms: 1000,
  trusted_sealers: [],
};

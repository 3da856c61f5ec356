import { durableRetries, interfaceRetries, type Options } from "@letterslot/core";
import type { Config } from "./config.ts";

/** What the configuration decides about the service itself. */
export function coreOptions(config: Config, base_url: string): Options {
  const { mail_domain, onboarding, screening_timeout_ms, trusted_sealers, webhook_retries } = config;
  const profile = webhook_retries === "durable" ? "durable" : "interface";
  const seconds = { interface: interfaceRetries, durable: durableRetries };
  return {
    base_url,
    mail_domain,
    onboarding,
    screening_timeout_ms,
    trusted_sealers,
    webhook_profile: profile,
    webhook_retries: typeof webhook_retries === "string" ? seconds[webhook_retries] : webhook_retries,
  };
}

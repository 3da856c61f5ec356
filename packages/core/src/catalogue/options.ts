import type { Plans } from "./plans.ts";

/** The settings of a deployment, beside the ports in what `createLetterslot` takes. Core reads nothing from the environment; the server's `config.ts` does. */
export interface Options {
  /** The base of links and docs_url, without a trailing slash. */
  baseUrl: string;
  /** The domain of addresses that have no custom domain. */
  mailDomain: string;
  /** Who may open an account: anyone, anyone who names an owner that then claims it, people alone (agents pair with their codes), or nobody but the operator. */
  onboarding: "open" | "claimed" | "paired" | "closed";
  /** The send mode of new inboxes that are created without one. */
  defaultSendMode: "direct" | "guarded";
  /** Seconds to wait before each retry of a webhook delivery. */
  webhookRetries: readonly number[];
  /**
   * `interface`: any final non-2xx status is a failure. `durable`: 429 is retried too. With both, 410 disables the
   * webhook at once.
   */
  webhookProfile: "interface" | "durable";
  /** Milliseconds of screening after which a mail counts as suspicious. */
  screeningTimeoutMs: number;
  /**
   * Domains whose ARC seal is trusted: their authentication results for mail that they forward count for
   * tasks (RFC 8617).
   */
  trustedSealers: readonly string[];
  /**
   * The sources whose reports about mail handed to them are believed: domains, `*.` for the names below one, and
   * networks.
   */
  trustedReporters: readonly string[];
  /**
   * Where mail to postmaster@ and abuse@ of the service's own domain goes: an address, which may be an inbox's; null
   * hands it to the port `operatorMail`.
   */
  postmaster: string | null;
  /** The days after which what was deleted leaves the trash for good. */
  trashDays: number;
  /** The plans of accounts; null for no limits. */
  plans: Plans | null;
  /**
   * The beginnings of https URLs that files may be attached from, each with a `/` at its end. A fetch is a way out: what is
   * below them should belong to nobody who would like to read what agents know.
   */
  attachmentUrls: readonly string[];
}

/** The two retries of the interface. */
export const INTERFACE_RETRIES = [5, 30] as const;

/** Eight attempts over about 28 hours, as in Standard Webhooks. */
export const DURABLE_RETRIES = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;

/** The settings used for everything that a deployment leaves out. */
export const DEFAULT_OPTIONS: Options = {
  baseUrl: "http://localhost:8025",
  mailDomain: "letterslot.localhost",
  onboarding: "open",
  defaultSendMode: "direct",
  webhookRetries: INTERFACE_RETRIES,
  webhookProfile: "interface",
  screeningTimeoutMs: 1000,
  trustedSealers: [],
  trustedReporters: [],
  postmaster: null,
  trashDays: 30,
  plans: null,
  attachmentUrls: [],
};

/** Whether a text is the beginning of https URLs, as far as a `/`: a host without one would also be that of another. */
export function isUrlPrefix(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text) || !text.endsWith("/")) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === "https:" && username === "" && password === "";
}

function urlPrefix(text: string): string {
  if (!isUrlPrefix(text))
    throw new Error(`attachmentUrls has ${text}, which is no beginning of https URLs that ends with a "/"`);
  return new URL(text).href;
}

/**
 * Parts a configuration into its options, with the default of each that is left out, and the rest. Throws for what is no
 * option's value.
 */
export function splitOptions<C extends Partial<Options>>(
  config: C,
): { options: Options; ports: Omit<C, keyof Options> } {
  const {
    baseUrl = DEFAULT_OPTIONS.baseUrl,
    mailDomain = DEFAULT_OPTIONS.mailDomain,
    onboarding = DEFAULT_OPTIONS.onboarding,
    defaultSendMode = DEFAULT_OPTIONS.defaultSendMode,
    webhookRetries = DEFAULT_OPTIONS.webhookRetries,
    webhookProfile = DEFAULT_OPTIONS.webhookProfile,
    screeningTimeoutMs = DEFAULT_OPTIONS.screeningTimeoutMs,
    trustedSealers = DEFAULT_OPTIONS.trustedSealers,
    trustedReporters = DEFAULT_OPTIONS.trustedReporters,
    postmaster = DEFAULT_OPTIONS.postmaster,
    trashDays = DEFAULT_OPTIONS.trashDays,
    plans = DEFAULT_OPTIONS.plans,
    attachmentUrls = DEFAULT_OPTIONS.attachmentUrls,
    ...ports
  } = config;
  const options = {
    ...{
      baseUrl,
      mailDomain,
      onboarding,
      defaultSendMode,
      webhookRetries,
      webhookProfile,
      screeningTimeoutMs,
    },
    ...{ trustedSealers, trustedReporters, postmaster, trashDays, plans },
    attachmentUrls: attachmentUrls.map(urlPrefix),
  };
  return { options, ports };
}

import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { canonicalDomain } from "./address.ts";
import { Base64 } from "./fields.ts";

const INVALID = "invalid_dns_credentials";

/** The algorithms for signing an update (RFC 8945, section 6), without those that are broken. */
export const TSIG_ALGORITHMS = ["hmac-sha256", "hmac-sha384", "hmac-sha512"] as const;

const LABELS = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** The name of a TSIG key in lower case, without a dot at the end. */
const KeyName = z
  .string({ error: INVALID })
  .max(LIMITS.dns_name_chars, { error: INVALID })
  .transform((text) => text.toLowerCase().replace(/\.$/, ""))
  .refine((name) => LABELS.test(name) && name.split(".").every((label) => label.length <= 63), {
    error: INVALID,
  });

/** The credentials for Cloudflare. */
export const CloudflareCredentials = z.strictObject({
  api_token: z
    .string({ error: INVALID })
    .max(LIMITS.dns_token_chars, { error: INVALID })
    .regex(/^[A-Za-z0-9_-]+$/, { error: INVALID })
    .describe("An API token of Cloudflare that may read the zone and edit its DNS (Zone:Read, DNS:Edit)."),
});

/** The credentials for a name server that accepts updates (RFC 2136) signed with a key (TSIG, RFC 8945). */
export const Rfc2136Credentials = z.strictObject({
  server: z
    .string({ error: INVALID })
    .min(1, { error: INVALID })
    .max(LIMITS.dns_name_chars, { error: INVALID })
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: INVALID })
    .describe("The name or IP address of the zone's primary name server, reached by TCP."),
  port: z
    .int({ error: INVALID })
    .min(1, { error: INVALID })
    .max(65_535, { error: INVALID })
    .default(53)
    .describe("Its port; 53 by default."),
  key_name: KeyName.describe("The name of the key that signs updates."),
  algorithm: z
    .enum(TSIG_ALGORITHMS, { error: INVALID })
    .default("hmac-sha256")
    .describe("The key's algorithm; `hmac-sha256` by default."),
  secret: Base64(INVALID)
    .min(1, { error: INVALID })
    .max(LIMITS.dns_secret_chars, { error: INVALID })
    .describe("The key's secret in Base64, as the name server's configuration has it."),
});

/** The zone that records are written to: an apex, in A-labels. */
const Zone = z
  .string({ error: "invalid_dns_zone" })
  .max(LIMITS.dns_name_chars, { error: "invalid_dns_zone" })
  .transform((text, ctx) => {
    const zone = canonicalDomain(text.replace(/\.$/, ""));
    if (zone !== undefined) return zone;
    ctx.addIssue({ code: "custom", message: "invalid_dns_zone" });
    return z.NEVER;
  })
  .nullable()
  .default(null)
  .describe("The zone that contains the domain, if it can't be found by name; by default it is looked up.");

/** The provider or protocol through which the records of a zone are written, with its credentials. */
export const DnsProviderInput = z.discriminatedUnion(
  "provider",
  [
    z.strictObject({
      mode: z.literal("automatic"),
      provider: z.literal("cloudflare"),
      zone: Zone,
      credentials: CloudflareCredentials.describe(
        "The credentials for Cloudflare; encrypted, and never shown.",
      ),
    }),
    z.strictObject({
      mode: z.literal("automatic"),
      provider: z.literal("rfc2136"),
      zone: Zone,
      credentials: Rfc2136Credentials.describe(
        "The credentials for the name server; encrypted, and never shown.",
      ),
    }),
  ],
  { error: "dns_provider_unavailable" },
);
export type DnsProviderInput = z.infer<typeof DnsProviderInput>;

type Access<P> = P extends unknown ? Omit<P, "mode"> & { domain: string } : never;

/**
 * The access needed to write a domain's records: the provider, the zone (null: the one that has the domain), the domain
 * in A-labels, and the credentials, which are secret.
 */
export type DnsAccess = Access<DnsProviderInput>;

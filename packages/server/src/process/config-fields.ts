import { isIP } from "node:net";
import { isUrlPrefix } from "@letterslot/core/internal";
import { networkList } from "@letterslot/core/ports";
import { z } from "zod";

/** A TCP port; 0 picks a free one. */
export const Port = integer(0, 65_535);

/** The maximum number of connections. */
export const PoolSize = integer(1, 1_000);

/** Days, from 1 to ten years. */
export const Days = integer(1, 3_650);

/** Milliseconds, from 1 to an hour. */
export const Milliseconds = integer(1, 3_600_000);

/** A comma-separated list without empty items. */
const List = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Networks such as `10.0.0.0/8`, or single addresses. */
export const Networks = List.refine((items) => {
  try {
    networkList(items);
    return true;
  } catch {
    return false;
  }
});

/** The beginnings of https URLs, as far as a `/`. */
export const UrlPrefixes = List.refine((items) => items.every(isUrlPrefix));

/** Origins such as `https://app.example.com`, as browsers write them; `*` is any. */
export const Origins = List.pipe(z.array(z.union([z.literal("*"), z.string().refine(isOrigin)])));

/** An http or https URL without query; trailing slashes are removed. */
export const HttpUrl = urlOf(/^https?:$/)
  .refine((text) => !/[?#]/.test(text))
  .transform((text) => text.replace(/\/+$/, ""));

/** A mail server, `smtp://user:password@host:port` or `smtps://…`, or the recipients' own hosts, `mx:`. */
export const SmtpUrl = urlOf(/^(smtps?|mx):$/).refine(
  (text) => (new URL(text).hostname === "") === text.startsWith("mx:"),
);

/** A PostgreSQL database: `postgres://user:password@host:port/name`. */
export const PostgresUrl = urlOf(/^postgres(ql)?:$/);

/** A Redis server: `redis://user:password@host:port/number`, `rediss://…` for TLS. */
export const RedisUrl = urlOf(/^rediss?:$/);

/** A bucket, `s3://bucket/prefix?…`; the adapter checks the rest. */
export const S3Url = urlOf(/^s3:$/);

/** The id of an access key, and its secret. Both go into headers. */
export const AccessKeyId = z.string().regex(/^[!-~]{1,256}$/);
export const SecretAccessKey = z.string().regex(/^[!-~]{8,512}$/);

/** The id of an account at Twilio. */
export const TwilioAccountSid = z.string().regex(/^AC[0-9a-f]{32}$/i);

/** A mail domain, in lower case. */
export const Domain = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/);

/** A plain address. */
export const Address = z.email().max(254);

/** Domains, in lower case. */
export const Domains = List.pipe(z.array(Domain));

/** Domains, `*.` before one for the names below it, and networks. */
export const Reporters = List.pipe(
  z.array(
    z.union([
      Domain,
      z
        .string()
        .regex(/^\*\./)
        .refine((text) => Domain.safeParse(text.slice(2)).success)
        .toLowerCase(),
      z.string().refine((text) => Networks.safeParse(text).success && text !== ""),
    ]),
  ),
);

/** `host:port` with an IP address as host; the port is optional. */
export const HostPort = z.string().refine((text) => {
  const [, host = "", port = "53"] = /^\[?([0-9a-f.:]+?)\]?(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return isIP(host) !== 0 && Number(port) <= 65_535;
});

/** Keys of 32 bytes in hex or base64, the current one first. */
export const EncryptionKeys = List.transform((items) => items.map(keyBytes)).refine(
  (keys) => keys.length > 0 && keys.every((key) => key.length === 32),
);

const RetrySeconds = z
  .number()
  .positive()
  .max(7 * 24 * 3600);

/** The retries of webhook deliveries: a profile, or the delays in seconds. */
export const WebhookRetries = z.union([
  z.enum(["interface", "durable"]),
  List.transform((items) => items.map(Number)).pipe(z.array(RetrySeconds).min(1).max(20)),
]);

/** A secret that is hard to guess. */
export const Secret = z.string().min(16).max(512);

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function integer(min: number, max: number) {
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`))
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

function urlOf(protocol: RegExp) {
  return z.string().refine((text) => URL.canParse(text) && protocol.test(new URL(text).protocol), {
    abort: true,
  });
}

function keyBytes(item: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(item) ? Buffer.from(item, "hex") : Buffer.from(item, "base64");
}

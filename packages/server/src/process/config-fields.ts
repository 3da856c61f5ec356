import { isIP } from "node:net";
import { z } from "zod";
import { networkList } from "../request/client-address.ts";

/** A TCP port; 0 takes a free one. */
export const Port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.int().max(65_535));

/** A comma-separated list without empty items. */
export const Words = z.string().transform((text) =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== ""),
);

/** Networks such as `10.0.0.0/8`, or single addresses. */
export const Networks = Words.refine((words) => {
  try {
    networkList(words);
    return true;
  } catch {
    return false;
  }
});

/** An http or https address without query, kept without its last slash. */
export const HttpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text))
  .transform((text) => text.replace(/\/+$/, ""));

/** A mail server: `smtp://user:password@host:port` or `smtps://…`. */
export const SmtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "",
  );

/** A PostgreSQL database: `postgres://user:password@host:port/name`. */
export const PostgresUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol));

/** A Redis: `redis://user:password@host:port/number`, `rediss://…` for TLS. */
export const RedisUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol));

/** How many connections to keep at most. */
export const PoolSize = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(1_000));

/** A domain that mail can have, in lower case. */
export const Domain = z
  .string()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/);

/** Domains, in lower case. */
export const Domains = Words.pipe(z.array(Domain));

/** `host:port`, the host an IP address; the port may be left out. */
export const HostPort = z.string().refine((text) => {
  const [, host = "", port = "53"] = /^\[?([0-9a-f.:]+?)\]?(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return isIP(host) !== 0 && Number(port) <= 65_535;
});

/** Keys of 32 bytes in hex or base 64, the current one first. */
export const EncryptionKeys = Words.transform((words) => words.map(keyBytes)).refine(
  (keys) => keys.length > 0 && keys.every((key) => key.length === 32),
);

/** How webhook deliveries are retried. */
export const WebhookRetries = z.union([
  z.enum(["interface", "durable"]),
  Words.transform((words) => words.map(Number)).pipe(
    z
      .array(
        z
          .number()
          .positive()
          .max(7 * 24 * 3600),
      )
      .min(1)
      .max(20),
  ),
]);

/** A secret that can't be guessed. */
export const Secret = z.string().min(16).max(512);

/** Milliseconds, from 1 to an hour. */
export const Milliseconds = z
  .string()
  .regex(/^\d{1,7}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(3_600_000));

function keyBytes(word: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(word) ? Buffer.from(word, "hex") : Buffer.from(word, "base64");
}

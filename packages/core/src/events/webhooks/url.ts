import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";

const MAX_URL_CHARS = 2048;

/** The address of a webhook as input. */
export const Url = z.string().max(MAX_URL_CHARS, { error: "invalid_webhook_url" });

/** Checks that a webhook may post to an address. Fails with `invalid_webhook_url`. */
export function checkUrl({ webhookHttp }: Pick<Services, "webhookHttp">, url: string): void {
  const reason = url.length > MAX_URL_CHARS ? "It is too long." : webhookHttp.refusal(url);
  if (reason !== null) throw fail("invalid_webhook_url", { param: "url", message: reason });
}

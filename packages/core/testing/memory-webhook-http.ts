import type { WebhookHttp, WebhookResponse } from "../src/ports/webhook-http.ts";

/** A request as a receiver reads it. */
export interface PostedWebhook {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Webhook receivers in memory: they keep what is posted and answer 200 unless told otherwise. */
export interface MemoryWebhookHttp extends WebhookHttp {
  /** Every request, oldest first. */
  posted: PostedWebhook[];
  /** From now on receivers answer so; a status, or null for a broken connection. */
  answer(status: number | null, details?: Partial<WebhookResponse>): void;
}

/** Receivers for tests of core: any https URL will do; the rules about addresses are the adapter's. */
export function createMemoryWebhookHttp(): MemoryWebhookHttp {
  const posted: PostedWebhook[] = [];
  let response: WebhookResponse = {
    status: 200,
    error: null,
    excerpt: "ok",
    retry_after_seconds: null,
    duration_ms: 1,
  };
  return {
    posted,
    answer(status, details = {}) {
      const error = status === null ? "connection refused" : null;
      response = { status, error, excerpt: "", retry_after_seconds: null, duration_ms: 1, ...details };
    },
    refusal: (url) =>
      URL.canParse(url) && new URL(url).protocol === "https:" ? null : "the URL is not https",
    async post({ url, headers, body }) {
      posted.push({ url, headers: { ...headers }, body: Buffer.from(body).toString("utf8") });
      return response;
    },
    async close() {},
  };
}

/** One POST to a receiver. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * What came back: a status, or what went wrong before one came. `excerpt` is the start of the body, at most 8
 * KB read.
 */
export interface WebhookResponse {
  status: number | null;
  error: string | null;
  excerpt: string;
  retry_after_seconds: number | null;
  duration_ms: number;
}

/**
 * Posts to addresses that strangers chose. Connects only to public addresses or those that the operator
 * allows, follows no redirect, ends at its deadline, never throws.
 */
export interface WebhookHttp {
  /**
   * Says why a URL can't be a webhook (`null` when it can), by its form and by the address literals in it.
   */
  refusal(url: string): string | null;
  post(request: WebhookRequest): Promise<WebhookResponse>;
  close(): Promise<void>;
}

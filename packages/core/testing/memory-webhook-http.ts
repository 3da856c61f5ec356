import type { WebhookHttp, WebhookResponse } from "../src/ports/webhook-http.ts";

/** A request as a receiver sees it. */
export interface PostedWebhook {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** In-memory webhook receivers: they record what is posted and respond 200 unless configured otherwise. */
export interface MemoryWebhookHttp extends WebhookHttp {
  /** Every request, oldest first. */
  posted: PostedWebhook[];
  /** The responses to GET, by URL. */
  documents: Map<string, string | Uint8Array>;
  /** The URLs of the files that were fetched, oldest first; their bytes are among the documents. */
  fetched: string[];
  /** Sets the response from now on: a status, or null for a broken connection. */
  answer(status: number | null, details?: Partial<WebhookResponse>): void;
}

/**
 * Creates receivers for core's tests: any https URL is accepted; the adapter has the rules about addresses.
 */
export function createMemoryWebhookHttp(): MemoryWebhookHttp {
  const posted: PostedWebhook[] = [];
  let response: WebhookResponse = {
    status: 200,
    error: null,
    excerpt: "ok",
    retry_after_seconds: null,
    duration_ms: 1,
  };
  const documents = new Map<string, string | Uint8Array>();
  const fetched: string[] = [];
  return {
    fetched,
    posted,
    documents,
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
    async get({ url }) {
      const document = documents.get(url);
      const body = Buffer.from(document ?? "");
      return { status: document === undefined ? 404 : 200, error: null, body, cache_control: null };
    },
    async file({ url }) {
      fetched.push(url);
      const file = documents.get(url);
      if (file === undefined) return { error: "the server answered 404", refused: false };
      return { error: null, content_type: null, bytes: atOnce(Buffer.from(file)) };
    },
    async close() {},
  };
}

async function* atOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

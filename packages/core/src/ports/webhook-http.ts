/** One POST to a receiver. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * The response: a status, or the error that prevented one. `excerpt` is the start of the body, of which at
 * most 8 KB is read.
 */
export interface WebhookResponse {
  status: number | null;
  error: string | null;
  excerpt: string;
  retry_after_seconds: number | null;
  duration_ms: number;
}

/** One GET of a document. */
export interface DocumentRequest {
  url: string;
  max_bytes: number;
  timeout_ms: number;
}

/** The document, or the error that prevented one: also when it is longer than was asked for. */
export interface DocumentResponse {
  status: number | null;
  error: string | null;
  body: Uint8Array;
  cache_control: string | null;
}

/** One GET of a file. */
export interface FileRequest {
  url: string;
  /** The time for all of it, to its last byte. */
  timeout_ms: number;
}

/** The file, or the error that prevented it. */
export type FileResponse =
  | { error: string; refused: boolean }
  | { error: null; content_type: string | null; bytes: AsyncGenerator<Uint8Array> };

/**
 * Posts to addresses chosen by strangers. Connects only to public addresses or those that the operator
 * allows, follows no redirects, stops at its deadline, never throws.
 */
export interface WebhookHttp {
  /** Why a URL can't be a webhook, based on its form and any address literal in it; `null` if it can. */
  refusal(url: string): string | null;
  post(request: WebhookRequest): Promise<WebhookResponse>;
  /** Fetches a document from where webhooks may go, by https only. */
  get(request: DocumentRequest): Promise<DocumentResponse>;
  /**
   * Fetches a file by https only and from public addresses only, also where webhooks may go elsewhere; `refused` says that
   * its address is none of those. Its bytes come as they are read, and end with an error when they break off or take too
   * long. End them if you don't read them to their end.
   */
  file(request: FileRequest): Promise<FileResponse>;
  close(): Promise<void>;
}

const NO_WEBHOOKS = "This service posts no webhooks.";

/** The webhooks of a service that was given none: no URL can be one, and nothing is fetched. */
export const noWebhookHttp: WebhookHttp = {
  refusal: () => NO_WEBHOOKS,
  post: async () => ({
    status: null,
    error: NO_WEBHOOKS,
    excerpt: "",
    retry_after_seconds: null,
    duration_ms: 0,
  }),
  get: async () => ({ status: null, error: NO_WEBHOOKS, body: new Uint8Array(), cache_control: null }),
  file: async () => ({ error: NO_WEBHOOKS, refused: true }),
  close: async () => undefined,
};

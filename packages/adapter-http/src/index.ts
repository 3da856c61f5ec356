export type { HostAddress, Lookup } from "./lookup.ts";
export { createWebhookHttp, type LazyWebhookHttp, type WebhookHttpOptions } from "./webhook-http.ts";

export type { HostAddress, Lookup } from "./lookup.ts";
export { createWebhookHttp, type WebhookHttpOptions } from "./webhook-http.ts";

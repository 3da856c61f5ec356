/** An event of the feed, a stream or a webhook: a union by `type`. */
export type { Event as LetterslotEvent } from "@letterslot/core";
export { type Client, createClient } from "./client.ts";
export type { Download } from "./download.ts";
export { LetterslotApiError } from "./error.ts";
export type { FollowOptions } from "./follow.ts";
export type { Page, PagePromise } from "./pages.ts";
export type { CallOptions, ClientOptions } from "./request.ts";
export { type Route, type Routes, routes } from "./routes.ts";
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookRefusal,
  WebhookVerificationError,
} from "./webhooks.ts";

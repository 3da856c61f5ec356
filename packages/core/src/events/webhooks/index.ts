export { deliverWebhook, giveUpDelivery } from "./deliver-job.ts";
export { canSeeWebhook } from "./find.ts";
export { applyWebhookChange } from "./hold-change.ts";
export { signatureHeaders, signingKeysOf } from "./signing.ts";
export { checkUrl } from "./url.ts";

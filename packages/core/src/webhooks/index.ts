export { deliverWebhook } from "./deliver-job.ts";
export { signatureHeaders, signingKeysOf } from "./signing.ts";

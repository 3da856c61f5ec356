export { deliverWebhook } from "./deliver-job.ts";

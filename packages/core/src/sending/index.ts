export { placeCall } from "./call-job.ts";
export { sendDueDraft } from "./drafts/send-job.ts";
export { addBlobUses, deleteDraft } from "./drafts/store.ts";
export { createRoutingTransport } from "./routing-transport.ts";
export { sendMessage } from "./send-job.ts";
export { sendText } from "./sms-job.ts";
export { taskReply } from "./task-reply.ts";

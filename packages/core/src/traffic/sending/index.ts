export { heldDrafts } from "./drafts/held.ts";
export { giveUpDraft, sendDueDraft } from "./drafts/send-job.ts";
export { addBlobUses, deleteDraft } from "./drafts/store.ts";
export { giveUpMessage } from "./give-up.ts";
export { placeCall } from "./phone/call-job.ts";
export { sendText } from "./phone/sms-job.ts";
export { createRoutingTransport } from "./routing-transport.ts";
export { sendMessage } from "./send-job.ts";
export { taskReply } from "./task-reply.ts";

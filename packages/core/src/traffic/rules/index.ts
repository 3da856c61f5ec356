export { sendAutoReply } from "./auto-reply.ts";
export { forwardMail } from "./forward.ts";
export { checkRules } from "./meet.ts";

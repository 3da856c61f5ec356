export { sendAutoReply } from "./auto-reply.ts";
export { checkRules } from "./meet.ts";

export { sendAutoReply } from "./auto-reply.ts";

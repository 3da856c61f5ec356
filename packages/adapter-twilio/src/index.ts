export { createTwilioTelephony, type TwilioOptions } from "./twilio-telephony.ts";

import { telephonyKit } from "@letterslot/core/conformance";
import { describe, test } from "vitest";
import { createTwilioTelephony } from "../src/index.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";

const CALLBACKS = "https://mail.example.com/api/v1/internal/telephony/twilio";

describe("Twilio as telephony", () => {
  telephonyKit({
    test,
    async open() {
      const twilio = await startFakeTwilio();
      twilio.stock(["+14155550100", "+14155550101", "+14155550102"]);
      const { account_sid: accountSid, auth_token: authToken, url: apiUrl } = twilio;
      const options = { accountSid, authToken, callbacksUrl: CALLBACKS, apiUrl };
      const telephony = await createTwilioTelephony(options);
      return {
        telephony,
        async textTo(text) {
          const { url, headers, body } = twilio.text(text);
          return { url, path: url.slice(CALLBACKS.length), headers, body };
        },
        async close() {
          await telephony.close();
          await twilio.close();
        },
      };
    },
  });
});

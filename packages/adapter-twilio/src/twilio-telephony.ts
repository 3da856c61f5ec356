import {
  type AvailableNumber,
  type CallState,
  LIMITS,
  type PhoneCapability,
  type Telephony,
  TelephonyFailure,
} from "@letterslot/core/ports";
import { callDetail, callStatus, readCallback, secondsOf } from "./callbacks.ts";
import { TwilioRefusal } from "./failures.ts";
import { createTwilioHttp, fetchAudio, type TwilioAccess } from "./http.ts";
import { loadTwilio } from "./library.ts";
import { callbackUrl, PATHS } from "./paths.ts";
import { createTwiml } from "./twiml.ts";

/** Options for `createTwilioTelephony`. */
export interface TwilioOptions {
  /** The account's id, `AC` and 32 hexadecimal digits. */
  accountSid: string;
  /** Its auth token: requests are made and callbacks are verified with it. */
  authToken: string;
  /** Our public URL below which Twilio's callbacks come: BASE_URL and `/api/v1/internal/telephony/twilio`. */
  callbacksUrl: string;
  /** The URL of Twilio's API; default https://api.twilio.com. Requests with the credentials go there only. */
  apiUrl?: string;
  /** Time limit for Twilio's answer, in milliseconds; default 30 seconds. */
  timeoutMs?: number;
}

const API_URL = "https://api.twilio.com";
/** The countries in which numbers are sold: those of an area code are in one of the two. */
const COUNTRIES = ["US", "CA"] as const;
const NOT_FOUND = 404;
const BAD_REQUEST = 400;
/** The ringing time in seconds after which a call counts as unanswered; voicemail often picks up after 25. */
const RING_SECONDS = 45;

/**
 * Telephony by Twilio. Needs the package `twilio`; throws what its import throws without it, and a TypeError for an
 * `account_sid` that is none.
 */
export async function createTwilioTelephony(options: TwilioOptions): Promise<Telephony> {
  const { accountSid: account_sid, authToken: auth_token, callbacksUrl: callbacks_url } = options;
  if (!/^AC[0-9a-f]{32}$/i.test(account_sid))
    throw new TypeError("account_sid is AC and 32 hexadecimal digits, as Twilio's console shows it.");
  const { apiUrl: api_url = API_URL, timeoutMs: timeout_ms = LIMITS.telephony_request_ms } = options;
  const access: TwilioAccess = { account_sid, auth_token, api_url: api_url.replace(/\/+$/, ""), timeout_ms };
  const library = await loadTwilio();
  const twiml = createTwiml(library, callbacks_url);
  // Empty, so that the environment doesn't decide where requests go.
  const client = new library.Twilio(account_sid, auth_token, {
    httpClient: createTwilioHttp(access),
    edge: "",
    region: "",
  });
  const urlOf = (path: string, message?: string) => callbackUrl(callbacks_url, path, { message });

  const searchIn = async (country: string, area_code: string | null, limit: number) => {
    const wanted = { smsEnabled: true, voiceEnabled: true, limit, pageSize: limit };
    const inArea = area_code === null ? wanted : { ...wanted, areaCode: Number(area_code) };
    return asFailure(client.availablePhoneNumbers(country).local.list(inArea)).catch(noneOf<[]>([]));
  };

  return {
    name: "twilio",
    answers_keywords: true,
    async searchNumbers({ area_code, limit }) {
      const countries = area_code === null ? COUNTRIES.slice(0, 1) : COUNTRIES;
      for (const country of countries) {
        const found = await searchIn(country, area_code, limit);
        if (found.length > 0) return found.slice(0, limit).map(availableOf);
      }
      return [];
    },
    async buyNumber({ phone_number, reference }) {
      const bought = await asFailure(
        client.incomingPhoneNumbers.create({
          phoneNumber: phone_number,
          friendlyName: reference,
          smsUrl: urlOf(PATHS.sms),
          smsMethod: "POST",
          voiceUrl: urlOf(PATHS.voice),
          voiceMethod: "POST",
        }),
      );
      return { ...availableOf(bought), provider_id: bought.sid };
    },
    async findNumber(reference) {
      const found = await asFailure(client.incomingPhoneNumbers.list({ friendlyName: reference, limit: 20 }));
      const number = found.find(({ friendlyName }) => friendlyName === reference);
      return number === undefined ? undefined : { ...availableOf(number), provider_id: number.sid };
    },
    async releaseNumber(provider_id) {
      await asFailure(client.incomingPhoneNumbers(provider_id).remove()).catch(absent);
    },
    async sendSms({ message_id, from, to, text }) {
      const { sid } = await asFailure(
        client.messages.create({
          from,
          to,
          body: text,
          statusCallback: urlOf(PATHS.sms_status, message_id),
        }),
      );
      return { provider_id: sid };
    },
    async placeCall(call) {
      const { sid } = await asFailure(
        client.calls.create({
          from: call.from,
          to: call.to,
          twiml: twiml.callOf(call),
          timeout: RING_SECONDS,
          timeLimit: call.time_limit_seconds,
          statusCallback: urlOf(PATHS.call_status, call.message_id),
          statusCallbackMethod: "POST",
          statusCallbackEvent: ["ringing", "completed"],
        }),
      );
      return { provider_id: sid };
    },
    async findCall(provider_id) {
      const call = await asFailure(client.calls(provider_id).fetch()).catch(absent);
      return call === undefined ? undefined : stateOf(call);
    },
    fetchRecording: (recording_id, max_bytes) => fetchAudio(access, recording_id, max_bytes),
    verifyCallback: async (request) => readCallback(library, auth_token, request),
    replyTo: (event, reply) => ({
      status: 200,
      headers: { "content-type": "text/xml; charset=utf-8" },
      body: twiml.replyOf(event, reply),
    }),
    close: async () => undefined,
  };
}

/** Any error of the library besides our own failures means an unreadable answer. */
async function asFailure<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof TelephonyFailure) throw error;
    throw new TelephonyFailure("unknown", "Twilio's answer can't be read.");
  }
}

function absent(error: unknown): undefined {
  if (!(error instanceof TwilioRefusal) || error.status !== NOT_FOUND) throw error;
  return undefined;
}

/** An invalid area code, or a country without numbers, has none. */
const noneOf =
  <T>(none: T) =>
  (error: unknown): T => {
    if (error instanceof TwilioRefusal && [BAD_REQUEST, NOT_FOUND].includes(error.status)) return none;
    throw error;
  };

function availableOf(number: {
  phoneNumber: string;
  capabilities: object;
  region?: string;
}): AvailableNumber {
  const { phoneNumber: phone_number, region } = number;
  return { phone_number, region: region || null, capabilities: capabilitiesOf(number.capabilities) };
}

/** Twilio writes `SMS` of a number that it sells, and `sms` of one that it has sold. */
function capabilitiesOf(said: object): PhoneCapability[] {
  const can = new Set(
    Object.entries(said).flatMap(([name, yes]) => (yes === true ? [name.toLowerCase()] : [])),
  );
  return (["sms", "voice"] as const).filter((capability) => can.has(capability));
}

function stateOf({ status, duration }: { status: string; duration: string | null }): CallState {
  if (status === "queued" || status === "in-progress") return { status, duration_seconds: null, detail: "" };
  const known = callStatus(status) ?? "queued";
  const ended = known !== "ringing" && known !== "queued";
  const duration_seconds = ended ? secondsOf(duration ?? "") : null;
  return { status: known, duration_seconds, detail: callDetail(status) };
}

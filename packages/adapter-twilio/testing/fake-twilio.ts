import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import twilio from "twilio";
import type { LocalInstance } from "twilio/lib/rest/api/v2010/account/availablePhoneNumberCountry/local.js";
import type { CallInstance } from "twilio/lib/rest/api/v2010/account/call.js";
import type { IncomingPhoneNumberInstance } from "twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js";
import type { MessageInstance } from "twilio/lib/rest/api/v2010/account/message.js";
import { type TwilioRequest, wrongParameter } from "./library-parameters.ts";
import { attributeOf, signed, type TwilioCallback } from "./signed-callback.ts";
import {
  type Answer,
  json,
  NOT_FOUND,
  type Part,
  page,
  plain,
  refusal,
  reply,
  textOf,
  type Wire,
} from "./wire.ts";

/** A moment of a request: it has arrived, it is done, it is answered. */
export type Moment = "before" | "after" | "answered";

/** A number at Twilio that was bought. */
export interface SoldNumber {
  sid: string;
  phone_number: string;
  friendly_name: string;
  sms_url: string;
  voice_url: string;
}

/** A text that was taken. */
export interface TakenText {
  sid: string;
  from: string;
  to: string;
  body: string;
  status_callback: string;
}

/** A call, placed or received. `recording` and `transcript` are where `<Record>` says. */
export interface TakenCall {
  sid: string;
  from: string;
  to: string;
  twiml: string;
  time_limit: number;
  status_callback: string;
  status: string;
  duration: string | null;
}

/** Twilio's API on 127.0.0.1, with the answers and callbacks that its documentation describes. */
export interface FakeTwilio {
  account_sid: string;
  auth_token: string;
  /** For `api_url`, or TWILIO_API_URL. */
  url: string;
  /** Every request with good credentials, in order. */
  asked: { request: TwilioRequest; fields: Record<string, string | string[]> }[];
  /** Requests for paths that the fake doesn't have. */
  unknown: string[];
  numbers: SoldNumber[];
  texts: TakenText[];
  calls: TakenCall[];
  /** Puts numbers up for sale. */
  stock(numbers: readonly string[]): void;
  /** Answers the next request of this kind so, without doing it. */
  failNext(request: TwilioRequest, status: number, error: { code?: number; message?: string } | string): void;
  /**
   * Resolves at a moment of the next request of this kind: "before" it is done or "after" it, and it is never answered
   * then (the connection stays open until `hangUp`); or as it was just "answered".
   */
  stall(request: TwilioRequest, moment: Moment): Promise<void>;
  /** Closes the connections of all stalled requests without an answer. */
  hangUp(): void;
  /** Somebody sends a text to a number that was sold. */
  text(text: { from: string; to: string; text: string }): TwilioCallback;
  /** A text of the service's gets on. */
  textStatus(sid: string, status: string, error_code?: string): TwilioCallback;
  /** A call of the service's gets on; it ends with a duration in seconds. */
  callStatus(sid: string, status: string, seconds?: number): TwilioCallback;
  /** Calls a sold number: `answered` receives the service's answer as the call's TwiML. */
  ring(numbers: { from: string; to: string }): {
    callback: TwilioCallback;
    answered(twiml: string): TakenCall;
  };
  /** Somebody speaks into the recording that a call's TwiML asks for. */
  speak(
    call: TakenCall,
    spoken: { seconds: number; audio?: Uint8Array; content_type?: string; transcript?: string },
  ): {
    recorded: TwilioCallback;
    recording: TwilioCallback;
    transcript: TwilioCallback;
    recording_sid: string;
  };
  /** Sends callbacks to this origin from now on, instead of that of their URL, like a proxy before the service. */
  deliverTo(origin: string): void;
  close(): Promise<void>;
}

const API_VERSION = "2010-04-01";
const HEX = "0123456789abcdef";

/** Starts it, without numbers. */
export async function startFakeTwilio(): Promise<FakeTwilio> {
  let proxy: string | undefined;
  const originOf = (url: string) => proxy ?? new URL(url).origin;
  let made = 0;
  const sid = (prefix: string) => `${prefix}${(++made).toString(16).padStart(32, "0")}`;
  const account_sid = sid("AC");
  const auth_token = Array.from({ length: 32 }, (_, index) => HEX[(index * 7 + 3) % 16]).join("");
  const asked: FakeTwilio["asked"] = [];
  const unknown: string[] = [];
  const [numbers, texts, calls]: [SoldNumber[], TakenText[], TakenCall[]] = [[], [], []];
  const forSale = new Set<string>();
  const audio = new Map<string, { bytes: Uint8Array; content_type: string }>();
  const failures: { request: TwilioRequest; status: number; body: string }[] = [];
  const stalls: { request: TwilioRequest; moment: Moment; reached: () => void }[] = [];
  const stalled = new Set<ServerResponse>();

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const body = await textOf(incoming);
    const basic = Buffer.from(`${account_sid}:${auth_token}`).toString("base64");
    if (incoming.headers.authorization !== `Basic ${basic}`)
      return reply(response, refusal(401, 20003, "Authenticate"));
    const path = url.pathname.replace(`/${API_VERSION}/Accounts/${account_sid}/`, "");
    const [request, id = ""] = requestOf(incoming.method ?? "", path);
    if (request === undefined) {
      unknown.push(incoming.url ?? "");
      return reply(response, NOT_FOUND);
    }
    if (
      body !== "" &&
      incoming.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true
    )
      return reply(response, refusal(415, 20_415, "Unsupported Media Type"));
    const fields = new URLSearchParams(incoming.method === "POST" ? body : url.search);
    asked.push({ request, fields: plain(fields) });
    const failure = takeFirst(failures, request);
    if (failure !== undefined) return reply(response, failure);
    const stall = takeFirst(stalls, request);
    const answered = stall?.moment === "before" ? undefined : answer(request, id, fields);
    if (answered !== undefined && (stall === undefined || stall.moment === "answered"))
      reply(response, answered);
    else stalled.add(response);
    stall?.reached();
  };
  const server = createServer((incoming, response) => void handle(incoming, response));

  const answer = (request: TwilioRequest, id: string, fields: URLSearchParams): Answer => {
    const wrong = wrongParameter(request, fields);
    if (wrong !== undefined) return refusal(400, 20_001, wrong);
    switch (request) {
      case "search":
        return search(id, fields);
      case "buy":
        return buy(fields);
      case "find":
        return page(
          "incoming_phone_numbers",
          numbers
            .filter(({ friendly_name }) => friendly_name === (fields.get("FriendlyName") ?? friendly_name))
            .map(numberPayload),
        );
      case "release":
        return release(id);
      case "send":
        return send(fields);
      case "call":
        return placeCall(fields);
      case "find_call": {
        const found = calls.find((each) => each.sid === id);
        return found === undefined ? NOT_FOUND : json(200, callPayload(found));
      }
      case "recording": {
        const found = audio.get(id);
        return found === undefined
          ? NOT_FOUND
          : { status: 200, body: found.bytes, content_type: found.content_type };
      }
    }
  };

  const search = (country: string, fields: URLSearchParams): Answer => {
    const area = fields.get("AreaCode");
    if (area !== null && !/^[2-9]\d\d$/.test(area)) return refusal(400, 21_451, "Invalid area code");
    const of = [...forSale].filter((number) => (country === "CA") === CANADIAN.has(number.slice(2, 5)));
    const found = of.filter((number) => area === null || number.startsWith(`+1${area}`));
    return page(
      "available_phone_numbers",
      found.slice(0, Number(fields.get("PageSize") ?? 50)).map((phone_number) => {
        const payload: Part<typeof LocalInstance> = {
          friendly_name: phone_number,
          phone_number,
          region: country === "CA" ? "ON" : "CA",
          iso_country: country,
          beta: false,
        };
        // Twilio writes this in capitals for numbers that are for sale.
        return { ...payload, capabilities: { voice: true, SMS: true, MMS: true } };
      }),
    );
  };

  const buy = (fields: URLSearchParams): Answer => {
    const phone_number = fields.get("PhoneNumber") ?? "";
    if (!/^\+1\d{10}$/.test(phone_number))
      return refusal(400, 21_421, `PhoneNumber is invalid: ${phone_number}`);
    for (const name of ["SmsUrl", "VoiceUrl"])
      if (!isWebUrl(fields.get(name))) return refusal(400, 21_502, `${name} is not valid`);
    if ((fields.get("FriendlyName") ?? "").length > 64)
      return refusal(400, 20_001, "FriendlyName is too long");
    if (!forSale.delete(phone_number))
      return refusal(400, 21_422, `${phone_number} is not available for purchase.`);
    const number = {
      sid: sid("PN"),
      phone_number,
      friendly_name: fields.get("FriendlyName") ?? phone_number,
      sms_url: fields.get("SmsUrl") ?? "",
      voice_url: fields.get("VoiceUrl") ?? "",
    };
    numbers.push(number);
    return json(201, numberPayload(number));
  };

  const numberPayload = ({ sid: id, ...number }: SoldNumber): Part<typeof IncomingPhoneNumberInstance> => ({
    ...number,
    sid: id,
    account_sid,
    sms_method: "POST",
    voice_method: "POST",
    capabilities: { sms: true, voice: true, mms: true, fax: false },
    date_created: "Thu, 30 Jul 2015 20:12:31 +0000",
    date_updated: "Thu, 30 Jul 2015 20:12:31 +0000",
    status: "in-use",
  });

  const release = (id: string): Answer => {
    const index = numbers.findIndex((number) => number.sid === id);
    if (index === -1) return NOT_FOUND;
    const [gone] = numbers.splice(index, 1);
    if (gone !== undefined) forSale.add(gone.phone_number);
    return { status: 204, body: "", content_type: "application/json" };
  };

  const isOurs = (number: string) => numbers.some(({ phone_number }) => phone_number === number);

  const send = (fields: URLSearchParams): Answer => {
    const [from, to, body] = [fields.get("From") ?? "", fields.get("To") ?? "", fields.get("Body") ?? ""];
    if (!/^\+\d{8,15}$/.test(to))
      return refusal(400, 21_211, `The 'To' number ${to} is not a valid phone number.`);
    if (!isOurs(from))
      return refusal(
        400,
        21_606,
        `The 'From' phone number provided (${from}) is not a valid message-capable Twilio phone number.`,
      );
    if (body === "") return refusal(400, 21_602, "Message body is required");
    if (body.length > 1600)
      return refusal(400, 21_617, "The concatenated message body exceeds the 1600 character limit.");
    const status_callback = fields.get("StatusCallback") ?? "";
    if (status_callback !== "" && !isWebUrl(status_callback))
      return refusal(400, 21_609, `The 'StatusCallback' URL ${status_callback} is not a valid URL.`);
    const text = { sid: sid("SM"), from, to, body, status_callback };
    texts.push(text);
    const payload: Part<typeof MessageInstance> = {
      sid: text.sid,
      account_sid,
      from,
      to,
      body,
      status: "queued",
      direction: "outbound-api",
      num_segments: "1",
      num_media: "0",
      date_created: "Thu, 30 Jul 2015 20:12:31 +0000",
      date_updated: "Thu, 30 Jul 2015 20:12:31 +0000",
      api_version: API_VERSION,
    };
    return json(201, payload);
  };

  const placeCall = (fields: URLSearchParams): Answer => {
    const [from, to, twiml] = [fields.get("From") ?? "", fields.get("To") ?? "", fields.get("Twiml") ?? ""];
    if (!/^\+\d{8,15}$/.test(to))
      return refusal(400, 21_211, `The phone number you are attempting to call, ${to}, is not valid.`);
    if (!isOurs(from))
      return refusal(
        400,
        21_210,
        `The source phone number provided, ${from}, is not yet verified for your account.`,
      );
    if (twiml === "" || twiml.length > 4_000)
      return refusal(400, 21_205, "Url or Twiml parameter is required");
    const time_limit = Number(fields.get("TimeLimit") ?? 14_400);
    if (!Number.isInteger(time_limit) || time_limit < 1)
      return refusal(400, 20_001, "TimeLimit is not valid");
    const odd = fields.getAll("StatusCallbackEvent").find((event) => !CALL_EVENTS.has(event));
    if (odd !== undefined) return refusal(400, 21_626, `${odd} is not a status callback event`);
    if (!isWebUrl(fields.get("StatusCallback")))
      return refusal(400, 21_609, "StatusCallback is not a valid URL.");
    const placed: TakenCall = {
      sid: sid("CA"),
      from,
      to,
      twiml,
      time_limit,
      status_callback: fields.get("StatusCallback") ?? "",
      status: "queued",
      duration: null,
    };
    calls.push(placed);
    return json(201, callPayload(placed));
  };

  const callPayload = ({ sid: id, from, to, status, duration }: TakenCall): Part<typeof CallInstance> => ({
    sid: id,
    account_sid,
    from,
    to,
    status: status as Wire<typeof CallInstance>["status"],
    // Null until the call has ended, despite the type.
    duration: duration as string,
    direction: "outbound-api",
    date_created: "Thu, 30 Jul 2015 20:12:31 +0000",
    date_updated: "Thu, 30 Jul 2015 20:12:31 +0000",
    api_version: API_VERSION,
  });

  const callback = (url: string, fields: Record<string, string>): TwilioCallback => {
    const signature = twilio.getExpectedTwilioSignature(auth_token, url, fields);
    return signed(url, fields, signature, originOf);
  };
  const standard = { AccountSid: account_sid, ApiVersion: API_VERSION };
  const callNamed = (id: string) => {
    const found = calls.find((each) => each.sid === id);
    if (found === undefined) throw new Error(`there is no call ${id}`);
    return found;
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    account_sid,
    auth_token,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    unknown,
    numbers,
    texts,
    calls,
    stock(wanted) {
      for (const number of wanted) forSale.add(number);
    },
    failNext(request, status, error) {
      const body = typeof error === "string" ? error : JSON.stringify({ ...error, status });
      failures.push({ request, status, body });
    },
    stall: (request, moment) =>
      new Promise<void>((reached) => {
        stalls.push({ request, moment, reached });
      }),
    hangUp() {
      for (const response of stalled) response.destroy();
      stalled.clear();
    },
    text({ from, to, text }) {
      const number = numbers.find(({ phone_number }) => phone_number === to);
      const id = sid("SM");
      const ids = { MessageSid: id, SmsSid: id, SmsMessageSid: id, SmsStatus: "received" };
      const counts = { NumMedia: "0", NumSegments: "1" };
      return callback(number?.sms_url ?? "", {
        ...standard,
        ...ids,
        ...counts,
        From: from,
        To: to,
        Body: text,
      });
    },
    textStatus(id, status, error_code) {
      const text = texts.find((each) => each.sid === id);
      const ids = { MessageSid: id, SmsSid: id, MessageStatus: status, SmsStatus: status };
      return callback(text?.status_callback ?? "", {
        ...standard,
        ...ids,
        From: text?.from ?? "",
        To: text?.to ?? "",
        ...(error_code === undefined ? {} : { ErrorCode: error_code }),
      });
    },
    callStatus(id, status, seconds) {
      const found = callNamed(id);
      found.status = status;
      found.duration = seconds === undefined ? found.duration : String(seconds);
      return callback(found.status_callback, {
        ...standard,
        CallSid: id,
        CallStatus: status,
        From: found.from,
        To: found.to,
        Direction: "outbound-api",
        CallbackSource: "call-progress-events",
        SequenceNumber: String(++made),
        ...(seconds === undefined
          ? {}
          : { CallDuration: String(seconds), Duration: String(Math.ceil(seconds / 60)) }),
      });
    },
    ring({ from, to }) {
      const number = numbers.find(({ phone_number }) => phone_number === to);
      const id = sid("CA");
      const ids = { CallSid: id, CallStatus: "ringing", Direction: "inbound" };
      return {
        callback: callback(number?.voice_url ?? "", {
          ...standard,
          ...ids,
          From: from,
          To: to,
          Caller: from,
          Called: to,
        }),
        answered(twiml) {
          const call: TakenCall = {
            sid: id,
            from,
            to,
            twiml,
            time_limit: 14_400,
            status_callback: "",
            status: "in-progress",
            duration: null,
          };
          calls.push(call);
          return call;
        },
      };
    },
    speak(
      call,
      { seconds, audio: bytes = new Uint8Array([0xff, 0xfb]), content_type = "audio/mpeg", transcript = "" },
    ) {
      const recording_sid = sid("RE");
      audio.set(recording_sid, { bytes, content_type });
      const at = (name: string) => attributeOf(call.twiml, "Record", name);
      const ids = { ...standard, CallSid: call.sid, RecordingSid: recording_sid };
      const RecordingUrl = `https://api.twilio.com/${API_VERSION}/Accounts/${account_sid}/Recordings/${recording_sid}`;
      const ends = { From: call.from, To: call.to };
      return {
        recording_sid,
        recorded: callback(at("action"), {
          ...ids,
          ...ends,
          RecordingUrl,
          RecordingDuration: String(seconds),
          CallStatus: "in-progress",
          Digits: "",
        }),
        recording: callback(at("recordingStatusCallback"), {
          ...ids,
          RecordingUrl,
          RecordingStatus: "completed",
          RecordingDuration: String(seconds),
          RecordingChannels: "1",
          RecordingSource: "RecordVerb",
          RecordingStartTime: "Thu, 30 Jul 2015 20:12:31 +0000",
        }),
        transcript: callback(at("transcribeCallback"), {
          ...ids,
          ...ends,
          RecordingUrl,
          TranscriptionSid: sid("TR"),
          TranscriptionText: transcript,
          TranscriptionStatus: transcript === "" ? "failed" : "completed",
        }),
      };
    },
    deliverTo(origin) {
      proxy = origin;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const CANADIAN = new Set(["416", "604", "514"]);
const CALL_EVENTS = new Set(["initiated", "ringing", "answered", "completed"]);

function requestOf(method: string, path: string): [TwilioRequest | undefined, string?] {
  const [, country] = /^AvailablePhoneNumbers\/([A-Z]{2})\/Local\.json$/.exec(path) ?? [];
  if (country !== undefined && method === "GET") return ["search", country];
  if (path === "IncomingPhoneNumbers.json") return [method === "POST" ? "buy" : "find"];
  if (path === "Messages.json" && method === "POST") return ["send"];
  if (path === "Calls.json" && method === "POST") return ["call"];
  const [, kind, id = ""] =
    /^(IncomingPhoneNumbers|Calls|Recordings)\/(\w{34})\.(?:json|mp3)$/.exec(path) ?? [];
  if (kind === "IncomingPhoneNumbers" && method === "DELETE") return ["release", id];
  if (kind === "Calls" && method === "GET") return ["find_call", id];
  return kind === "Recordings" && method === "GET" ? ["recording", id] : [undefined];
}

const isWebUrl = (url: string | null) => url !== null && URL.canParse(url) && /^https?:/.test(url);

function takeFirst<T extends { request: TwilioRequest }>(list: T[], request: TwilioRequest): T | undefined {
  const index = list.findIndex((each) => each.request === request);
  return index === -1 ? undefined : list.splice(index, 1)[0];
}

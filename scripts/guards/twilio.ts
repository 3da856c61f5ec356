import { type Guard, guard } from "./guard.ts";

const adapter = "packages/adapter-twilio";
const callbacks = `${adapter}/test/twilio-callbacks.test.ts`;
const requests = `${adapter}/test/twilio-requests.test.ts`;
const route = "packages/server/src/internal/telephony.ts";
const callbacksOverHttp = "test/telephony-callbacks.test.ts";

/** What Twilio reports is Twilio's, and what it is asked for happens once. */
export const twilio: Guard[] = [
  guard(
    "a callback that Twilio didn't sign is refused",
    [
      `${adapter}/src/callbacks.ts`,
      'if (!validateRequest(auth_token, signature, url, fields)) return "forged";',
    ],
    [callbacks, "doesn't fit with another digit"],
  ),
  guard(
    "the signature of a JSON callback covers its body",
    [
      `${adapter}/src/callbacks.ts`,
      "validateRequestWithBody(auth_token, signature, url, body)",
      "validateRequest(auth_token, signature, url, {})",
    ],
    [callbacks, "covers the body by its hash"],
  ),
  guard(
    "a callback is verified for our own URL, not the one that a proxy names",
    [route, "url: `${options.base_url}${asked}`", "url: c.req.url"],
    [callbacksOverHttp, "whatever a proxy made of host"],
  ),
  guard(
    "a callback's body is limited",
    [route, "readBytes(c, LIMITS.telephony_callback_bytes)", "readBytes(c)"],
    [callbacksOverHttp, "too large is refused"],
  ),
  guard(
    "Twilio's credentials don't follow a redirect",
    [`${adapter}/src/http.ts`, 'redirect: "manual"', 'redirect: "follow"'],
    [requests, "is not followed to another host"],
  ),
  guard(
    "a recording is asked for by its id, never by an address",
    [
      `${adapter}/src/http.ts`,
      `  if (!/^RE[0-9a-f]{32}$/.test(recording_id))
    throw new TelephonyFailure("refused", "This is no recording of Twilio's.");
`,
    ],
    [requests, "is none, and nothing is asked"],
  ),
  guard(
    "a recording is no larger than what is asked for",
    [`${adapter}/src/http.ts`, "response.ok ? max_bytes : MAX_ANSWER_BYTES", "MAX_ANSWER_BYTES"],
    [requests, "that is too large"],
  ),
  guard(
    "a recording is audio",
    [
      `${adapter}/src/http.ts`,
      '  if (!/^audio\\/[a-z0-9.+-]+$/.test(content_type))\n    throw new TelephonyFailure("refused", "Twilio\'s answer is no audio.");\n',
    ],
    [requests, "that is too large, or no audio"],
  ),
  guard(
    "a text that Twilio may have taken isn't one that it certainly hasn't",
    [`${adapter}/src/failures.ts`, '(reads ? "unavailable" : "unknown")', '"unavailable"'],
    [requests, "may have gone out"],
  ),
];

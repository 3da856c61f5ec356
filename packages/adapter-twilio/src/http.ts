import { TelephonyFailure } from "@letterslot/core/ports";
import type { RequestClient } from "twilio";
import { failureOfAnswer, failureWithoutAnswer } from "./failures.ts";

/** Connection settings for Twilio's API. */
export interface TwilioAccess {
  account_sid: string;
  auth_token: string;
  /** The URL of its API; every request goes there and nowhere else. */
  api_url: string;
  timeout_ms: number;
}

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: URLSearchParams;
}

interface Answer {
  status: number;
  content_type: string;
  bytes: Uint8Array;
}

const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * The HTTP client that Twilio's library is given: with the service's credentials at its address alone, without
 * redirects, retries and proxies of its own. Fails with a `TelephonyFailure`.
 */
export function createTwilioHttp(access: TwilioAccess): RequestClient {
  const request: RequestClient["request"] = async ({ method, uri, headers, params, data }) => {
    const { pathname } = new URL(uri);
    const query = fieldsOf(params).toString();
    const answer = await askTwilio(access, {
      method: method.toUpperCase(),
      path: query === "" ? pathname : `${pathname}?${query}`,
      headers: headers as Record<string, string>,
      ...(data === undefined ? {} : { body: fieldsOf(data) }),
    });
    // The library parses a text as JSON, but its types don't describe the body.
    return { statusCode: answer.status, body: textOf(answer), headers: {} } as never;
  };
  // Only this member of the class is used; an instance would open agents of its own.
  return { request } as RequestClient;
}

/** The audio of a recording, as MP3. Fails with a `TelephonyFailure`. */
export async function fetchAudio(access: TwilioAccess, recording_id: string, max_bytes: number) {
  if (!/^RE[0-9a-f]{32}$/.test(recording_id))
    throw new TelephonyFailure("refused", "This is no recording of Twilio's.");
  const path = `/2010-04-01/Accounts/${access.account_sid}/Recordings/${recording_id}.mp3`;
  const { bytes, content_type } = await askTwilio(access, { method: "GET", path }, max_bytes);
  if (!/^audio\/[a-z0-9.+-]+$/.test(content_type))
    throw new TelephonyFailure("refused", "Twilio's answer is no audio.");
  return { bytes, content_type };
}

async function askTwilio(
  { account_sid, auth_token, api_url, timeout_ms }: TwilioAccess,
  { method, path, headers = {}, body }: Asked,
  max_bytes = MAX_ANSWER_BYTES,
): Promise<Answer> {
  const reads = method === "GET";
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString("base64")}`;
  try {
    const response = await fetch(`${api_url}${path}`, {
      method,
      headers: { ...headers, authorization },
      redirect: "manual",
      signal: AbortSignal.timeout(timeout_ms),
      ...(body === undefined ? {} : { body }),
    });
    const bytes = await readAtMost(response, response.ok ? max_bytes : MAX_ANSWER_BYTES, reads);
    if (!response.ok) throw failureOfAnswer(response.status, Buffer.from(bytes).toString("utf8"), reads);
    const [content_type = ""] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
    return { status: response.status, content_type: content_type.trim(), bytes };
  } catch (error) {
    throw failureWithoutAnswer(error, reads);
  }
}

async function readAtMost(response: Response, max_bytes: number, reads: boolean): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > max_bytes)
      throw new TelephonyFailure(reads ? "refused" : "unknown", "Twilio's answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const textOf = ({ bytes }: Answer): string => Buffer.from(bytes).toString("utf8");

function fieldsOf(values: unknown): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(values ?? {}))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) fields.append(name, String(each));
  return fields;
}

import { type ErrorCode, fail } from "@letterslot/core/ports";

/** Connection settings for the Cloudflare API. */
export interface CloudflareAccess {
  api_token: string;
  url: string;
  timeout_ms: number;
}

/** A record of Cloudflare's, as far as it concerns us (its API, "DNS Record"). */
export interface CloudflareRecord {
  id: string;
  name: string;
  type: string;
  content?: string;
  priority?: number;
}

/** A zone of Cloudflare's, as far as it concerns us. */
export interface CloudflareZone {
  id: string;
  name: string;
}

interface Answer<T> {
  success?: boolean;
  result?: T | null;
  errors?: { code?: number; message?: string }[];
  result_info?: { total_pages?: number };
}

/** Cloudflare said no, with the codes of its errors. */
export class CloudflareRefusal extends Error {
  override name = "CloudflareRefusal";
  readonly status: number;
  readonly codes: readonly number[];

  constructor(status: number, errors: NonNullable<Answer<unknown>["errors"]>) {
    const reasons = errors.map(({ code, message }) => `${message ?? "no reason"} (${code})`);
    super(printable(reasons.join("; ")) || "no reason");
    this.status = status;
    this.codes = errors.flatMap(({ code }) => code ?? []);
  }
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_SAID_CHARS = 300;
const PAGE_RECORDS = 100;
const MAX_PAGES = 50;
/** A server error is not a decision about the request: Cloudflare has failed internally. */
const MIN_SERVER_ERROR = 500;

/**
 * Cloudflare's API with one token. Fails with a `CloudflareRefusal`, or with `dns_provider_unreachable` or
 * `dns_provider_rate_limited`.
 */
export function createCloudflareApi(access: CloudflareAccess) {
  const call = <T>(method: string, path: string, body?: object) => callApi<T>(access, method, path, body);
  return {
    zonesNamed: (name: string) => allPages<CloudflareZone>(call, "/zones", { name }),
    recordsNamed: (zone_id: string, name: string) =>
      allPages<CloudflareRecord>(call, recordsPath(zone_id), { "name.exact": name }),
    createRecord: (zone_id: string, record: object) => call("POST", recordsPath(zone_id), record),
    changeRecord: (zone_id: string, id: string, record: object) =>
      call("PATCH", `${recordsPath(zone_id)}/${encodeURIComponent(id)}`, record),
    deleteRecord: (zone_id: string, id: string) =>
      call("DELETE", `${recordsPath(zone_id)}/${encodeURIComponent(id)}`),
  };
}

const recordsPath = (zone_id: string) => `/zones/${encodeURIComponent(zone_id)}/dns_records`;

type Call = <T>(method: string, path: string, body?: object) => Promise<Answer<T>>;

async function allPages<T>(call: Call, path: string, filter: Record<string, string>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({ ...filter, page: String(page), per_page: String(PAGE_RECORDS) });
    const { result, result_info } = await call<T[]>("GET", `${path}?${query.toString()}`);
    all.push(...(result ?? []));
    if (page >= (result_info?.total_pages ?? 1)) return all;
  }
  throw fail("dns_record_refused", { message: "The name has more records than can be looked through." });
}

async function callApi<T>(
  { api_token, url, timeout_ms }: CloudflareAccess,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<T>> {
  const { response, text } = await within(timeout_ms, async (signal) => {
    const answered = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${api_token}`, "content-type": "application/json" },
      redirect: "error",
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response: answered, text: await readText(answered) };
  });
  if (response.status === 429) throw rateLimited(response);
  if (response.status >= MIN_SERVER_ERROR) throw unreachable(`Cloudflare answers ${response.status}.`);
  const answer = parsed<T>(text);
  if (answer === undefined) throw unreachable("Cloudflare's answer can't be read.");
  if (!response.ok || answer.success !== true)
    throw new CloudflareRefusal(response.status, answer.errors ?? []);
  return answer;
}

async function within<T>(timeout_ms: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await run(AbortSignal.timeout(timeout_ms));
  } catch (error) {
    throw unreachable("Cloudflare does not answer.", error);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed<T>(text: string): Answer<T> | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

const unreachable = (message: string, cause?: unknown) =>
  fail("dns_provider_unreachable", { message, cause });

function rateLimited({ headers }: Response) {
  const seconds = Number(headers.get("retry-after") ?? "");
  const code: ErrorCode = "dns_provider_rate_limited";
  return seconds > 0 ? fail(code, { retry_after_seconds: Math.ceil(seconds) }) : fail(code);
}

const printable = (text: string) => text.replaceAll(/\p{C}/gu, "").slice(0, MAX_SAID_CHARS);

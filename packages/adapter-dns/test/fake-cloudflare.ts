import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ZoneRecord } from "@letterslot/core/ports";
import type Cloudflare from "cloudflare";

/** The API's records, in the types of Cloudflare's own client. */
type ApiRecord = Pick<Cloudflare.DNS.RecordResponse, "id" | "name"> & {
  type: string;
  content: string;
  priority?: number;
};
type ApiZone = Pick<Cloudflare.Zones.Zone, "id" | "name">;
type ApiError = Required<Pick<Cloudflare.ErrorData, "code" | "message">>;

/** A request that the fake received. */
export interface AskedOfCloudflare {
  method: string;
  path: string;
  body: Record<string, unknown>;
}

/** Cloudflare's API on 127.0.0.1, with the answers that its documentation describes. */
export interface FakeCloudflare {
  url: string;
  asked: AskedOfCloudflare[];
  addZone(name: string): void;
  /** A token that sees all zones, and may edit their records or not. */
  addToken(token: string, may_edit: boolean): void;
  put(zone: string, records: readonly ZoneRecord[]): void;
  /** Answers the next request, of this method, so. */
  answerNext(method: string, status: number, body: string, headers?: Record<string, string>): void;
  /** Accepts requests from now on and never answers. */
  hang(): void;
  close(): Promise<void>;
}

const error = (status: number, code: number, message: string) => ({ status, errors: [{ code, message }] });
const BAD_HEADERS = error(400, 6003, "Invalid request headers");
const BAD_TOKEN = error(403, 9109, "Invalid access token");
const NOT_ALLOWED = error(403, 10_000, "Authentication error");
const NO_ROUTE = error(404, 7003, "Could not route to the path, perhaps your object identifier is invalid?");
const GONE = error(404, 81_044, "Record does not exist.");
const IDENTICAL = error(400, 81_058, "An identical record already exists.");
const HOST_TAKEN = error(400, 81_053, "An A, AAAA, or CNAME record with that host already exists.");
const CNAME_THERE = error(400, 81_054, "A CNAME record with that host already exists.");
const BAD_TXT = error(400, 9207, "Content for TXT record is not valid.");

/** Starts it, without zones and tokens. */
export async function startFakeCloudflare(): Promise<FakeCloudflare> {
  const zones = new Map<string, { zone: ApiZone; records: ApiRecord[] }>();
  const tokens = new Map<string, boolean>();
  const asked: AskedOfCloudflare[] = [];
  const prepared: { method: string; status: number; body: string; headers: Record<string, string> }[] = [];
  let hanging = false;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await bodyOf(request);
    asked.push({ method: request.method ?? "", path: `${url.pathname}${url.search}`, body });
    if (hanging) return;
    const index = prepared.findIndex(({ method }) => method === request.method);
    const [next] = index === -1 ? [] : prepared.splice(index, 1);
    if (next !== undefined) response.writeHead(next.status, next.headers).end(next.body);
    else reply(response, answer(request, url, body));
  };
  const server = createServer((request, response) => void handle(request, response));

  const answer = (request: IncomingMessage, url: URL, body: Record<string, unknown>) => {
    const [, token] = /^Bearer ([A-Za-z0-9_-]{10,})$/.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) return BAD_HEADERS;
    const may_edit = tokens.get(token);
    if (may_edit === undefined) return BAD_TOKEN;
    const [, first, zone_id = "", second, id] = url.pathname.split("/");
    if (first !== "zones") return NO_ROUTE;
    if (zone_id === "") {
      const name = url.searchParams.get("name");
      const all = [...zones.values()].map(({ zone }) => zone);
      return page(name === null ? all : all.filter((zone) => zone.name === name), url);
    }
    const entry = zones.get(zone_id);
    if (entry === undefined || second !== "dns_records") return NO_ROUTE;
    if (request.method === "GET") {
      const name = url.searchParams.get("name.exact")?.toLowerCase();
      return page(
        name === undefined ? entry.records : entry.records.filter((each) => each.name === name),
        url,
      );
    }
    return may_edit ? edit(entry.records, request.method, id, body) : NOT_ALLOWED;
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    addZone(name) {
      const id = randomUUID().replaceAll("-", "");
      zones.set(id, { zone: { id, name }, records: [] });
    },
    addToken: (token, may_edit) => void tokens.set(token, may_edit),
    put(name, records) {
      const entry = [...zones.values()].find(({ zone }) => zone.name === name);
      for (const { type, value, priority, ...record } of records)
        entry?.records.push({
          ...record,
          id: randomUUID(),
          name: record.name.toLowerCase(),
          type,
          content: type === "TXT" ? quoted(value) : value,
          ...(priority === null ? {} : { priority }),
        });
    },
    answerNext: (method, status, body, headers = {}) => void prepared.push({ method, status, body, headers }),
    hang() {
      hanging = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answered =
  | { status: number; errors: ApiError[] }
  | { status: 200; result: unknown; result_info?: Record<string, number> };

function page(all: readonly unknown[], url: URL): Answered {
  const number = Number(url.searchParams.get("page") ?? 1);
  const per_page = Math.min(Number(url.searchParams.get("per_page") ?? 100), 100);
  const result = all.slice((number - 1) * per_page, number * per_page);
  return {
    status: 200,
    result,
    result_info: {
      page: number,
      per_page,
      count: result.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / per_page),
    },
  };
}

function edit(
  records: ApiRecord[],
  method: string | undefined,
  id: string | undefined,
  body: Record<string, unknown>,
): Answered {
  const index = records.findIndex((each) => each.id === id);
  const before = records[index];
  if (method !== "POST" && before === undefined) return GONE;
  if (method === "DELETE") {
    records.splice(index, 1);
    return { status: 200, result: { id } };
  }
  const record = { ...before, ...body, id: before?.id ?? randomUUID() } as unknown as ApiRecord;
  const others = records.filter((each) => each !== before && each.name === record.name);
  if (record.type === "TXT" && !/^(?:"(?:[^"\\]|\\[^])*" ?)+$/.test(record.content)) return BAD_TXT;
  if (others.some((each) => sameText(each) === sameText(record))) return IDENTICAL;
  if (record.type === "CNAME" && others.length > 0) return HOST_TAKEN;
  if (others.some(({ type }) => type === "CNAME")) return CNAME_THERE;
  if (before === undefined) records.push(record);
  else records[index] = record;
  return { status: 200, result: record };
}

const sameText = ({ type, content, priority }: ApiRecord) => `${type} ${priority} ${content}`;

/** A text as Cloudflare shows it: quoted strings of 255 bytes. */
function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, "\\$&");
  return (escaped.match(/(?:\\.|[^\\]){1,255}/gsu) ?? [""]).map((string) => `"${string}"`).join(" ");
}

function reply(response: ServerResponse, answered: Answered): void {
  const success = !("errors" in answered);
  const { status, ...rest } = answered;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(
    JSON.stringify({ success, errors: [], messages: [], ...(success ? {} : { result: null }), ...rest }),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

/** A request for a handler that is written for Node, below BASE_URL and without a connection of its own. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  /** The handler's answer. */
  answer: Promise<Response>;
}

/**
 * Converts a fetch request into Node's request and response, so that a handler written for Node works wherever the
 * service is mounted. Scheme and host come from `base_url`, and the client's address from `ip`.
 */
export async function openExchange(request: Request, base_url: string, ip: string | null): Promise<Exchange> {
  const base = new URL(base_url);
  const base_path = base.pathname.replace(/\/$/, "");
  const { pathname, search } = new URL(request.url);
  const path = pathname.startsWith(`${base_path}/oauth/`) ? pathname.slice(base_path.length) : pathname;
  const body = Buffer.from(await request.arrayBuffer());
  const req = new IncomingMessage(new Socket());
  const headers: Record<string, string> = Object.fromEntries(request.headers);
  req.method = request.method;
  req.url = `${path}${search}`;
  Object.assign(req, { originalUrl: `${base_path}${req.url}` });
  req.headers = {
    ...headers,
    host: base.host,
    "x-forwarded-host": base.host,
    "x-forwarded-proto": base.protocol.slice(0, -1),
    "x-forwarded-for": ip ?? "",
    "content-length": String(body.byteLength),
  };
  delete req.headers["transfer-encoding"];
  if (body.byteLength > 0) req.push(body);
  req.push(null);
  const res = new ServerResponse(req);
  const answer = new Promise<Response>((resolve) => {
    Object.assign(res, {
      end(content?: string | Uint8Array<ArrayBuffer>) {
        resolve(
          new Response(bodyFor(res.statusCode, content), { status: res.statusCode, headers: headersOf(res) }),
        );
        return res;
      },
    });
  });
  return { req, res, answer };
}

/** Returns a Node handler's answer to a fetch request. */
export async function exchange(
  handler: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  request: Request,
  base_url: string,
  ip: string | null,
): Promise<Response> {
  const { req, res, answer } = await openExchange(request, base_url, ip);
  await handler(req, res);
  return answer;
}

const bodyFor = (status: number, content: string | Uint8Array<ArrayBuffer> | undefined) =>
  status === 204 || status === 304 || content === undefined ? null : content;

function headersOf(res: ServerResponse): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(res.getHeaders()))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && name !== "content-length") headers.append(name, String(each));
  return headers;
}

import type { IncomingMessage, ServerResponse } from "node:http";

/** The API's answer according to the library's types; its dates are text on the wire. */
export type Wire<T extends abstract new (...values: never[]) => unknown> = {
  [K in keyof ConstructorParameters<T>[1]]: ConstructorParameters<T>[1][K] extends Date
    ? string
    : ConstructorParameters<T>[1][K];
};
/** A part of it. */
export type Part<T extends abstract new (...values: never[]) => unknown> = Partial<Wire<T>>;

/** An answer of the API. */
export interface Answer {
  status: number;
  body: string | Uint8Array;
  content_type?: string;
}

/** One in JSON. */
export const json = (status: number, payload: object): Answer => ({ status, body: JSON.stringify(payload) });

/** A refusal in the form of Twilio's API ("Twilio's response", its errors). */
export const refusal = (status: number, code: number, message: string): Answer =>
  json(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });

/** The answer for a resource that doesn't exist. */
export const NOT_FOUND = refusal(404, 20_404, "The requested resource was not found");

/** All of a list. */
export const page = (name: string, all: readonly object[]): Answer =>
  json(200, { [name]: all, page: 0, page_size: 50, next_page_uri: null, uri: "/" });

/** Answers a request. */
export function reply(
  response: ServerResponse,
  { status, body, content_type = "application/json" }: Answer,
): void {
  response.writeHead(status, { "content-type": content_type }).end(body);
}

/** The fields of a form; one that is there twice is a list. */
export const plain = (fields: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );

/** A request's body. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

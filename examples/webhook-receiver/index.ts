// A webhook receiver that verifies each delivery's signature and processes each delivery once. Run it with
//   WEBHOOK_SECRET=whsec_… node index.ts
// and create a webhook for its URL; only that response contains the secret.
import { createServer, type IncomingMessage } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@letterslot/client";

const secret = process.env["WEBHOOK_SECRET"];
if (secret === undefined) throw new Error("Set WEBHOOK_SECRET to the webhook's secret.");
const port = Number(process.env["PORT"] ?? 4000);
const MAX_BODY_BYTES = 1024 * 1024;

// A delivery can arrive more than once: it is retried if our response is lost. A real receiver stores the ids
// in its database under a unique index, in the same transaction as its work, and keeps them for a few days,
// as long as deliveries are retried.
const seen = new Set<string>();

const server = createServer((request, response) => {
  const answer = (status: number, text: string) =>
    response.writeHead(status, { "content-type": "text/plain" }).end(text);
  receive(request).then(
    ({ status, text }) => answer(status, text),
    (error: unknown) => {
      // The service retries after a 5xx.
      console.error(error);
      answer(500, "something went wrong");
    },
  );
});
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : port}`);
});

async function receive(request: IncomingMessage): Promise<{ status: number; text: string }> {
  const body = await readBody(request);
  if (body === undefined) return { status: 413, text: "too large" };
  try {
    // The signature covers the raw bytes of the body, so verify before parsing.
    const { event, delivery_id } = await verifyWebhook({
      body,
      headers: request.headers,
      secret: secret ?? "",
    });
    if (seen.has(delivery_id)) return { status: 200, text: "already processed" };
    seen.add(delivery_id);

    // Respond quickly and do long work afterwards: the service waits at most 15 seconds.
    console.log(`${event.type} ${event.id}`);
    return { status: 200, text: "thank you" };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`);
    return { status: 400, text: error.message };
  }
}

/** Returns the raw body, or undefined if it is larger than any event. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

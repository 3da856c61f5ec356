// A receiver of webhooks: checks each delivery's signature, and acts on each only once. Run it with
//   WEBHOOK_SECRET=whsec_… node index.ts
// and make a webhook for its URL; the secret is in the answer to that, once.
import { createServer, type IncomingMessage } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@letterslot/client";

const secret = process.env["WEBHOOK_SECRET"];
if (secret === undefined) throw new Error("Set WEBHOOK_SECRET to the webhook's secret.");
const port = Number(process.env["PORT"] ?? 4000);
const maxBodyBytes = 1024 * 1024;

// A delivery can come more than once: it is sent again when our answer got lost. A real receiver keeps the
// ids in its database, with a unique index, in the same transaction as what it does. They are worth keeping
// for a few days, as long as deliveries are retried.
const seen = new Set<string>();

const server = createServer((request, response) => {
  const answer = (status: number, text: string) =>
    response.writeHead(status, { "content-type": "text/plain" }).end(text);
  receive(request).then(
    ({ status, text }) => answer(status, text),
    (error: unknown) => {
      // A 5xx makes the service try again later.
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
  const body = await rawBody(request);
  if (body === undefined) return { status: 413, text: "too large" };
  try {
    // The signature is over the body byte for byte, so it is checked before anything parses it.
    const { event, delivery_id } = await verifyWebhook({
      body,
      headers: request.headers,
      secret: secret ?? "",
    });
    if (seen.has(delivery_id)) return { status: 200, text: "seen already" };
    seen.add(delivery_id);

    // Answer quickly and do long work afterwards: the service waits 15 seconds at most.
    console.log(`${event.type} ${event.id}`);
    return { status: 200, text: "thank you" };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`);
    return { status: 400, text: error.message };
  }
}

/** The body as it came, or undefined when it is larger than any event. */
async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

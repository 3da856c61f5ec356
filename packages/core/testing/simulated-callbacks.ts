import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type {
  CallbackRequest,
  CallbackResponse,
  TelephonyEvent,
  TelephonyReply,
} from "../src/ports/telephony.ts";

const SIGNATURE_HEADER = "x-simulator-signature";
const KEPT = 10_000;

/** Signed callbacks of a simulated provider: how they are made, checked, sent and answered. */
export interface SimulatedCallbacks {
  /** The last 10,000 callbacks that were made, oldest first, also those that are held back. */
  made: CallbackRequest[];
  /** Sends callbacks to this from now on. */
  connect(receive: (request: CallbackRequest) => Promise<CallbackResponse>): void;
  /** Makes a callback and sends it, unless they are held back: what the service answers. Fails as it does. */
  send(event: TelephonyEvent): Promise<TelephonyReply>;
  /** Sends a callback, again or for the first time; fails as the service does. */
  deliver(request: CallbackRequest): Promise<TelephonyReply>;
  /** From now on callbacks are made but not sent, until `release` sends these in their order. */
  hold(): void;
  release(): Promise<void>;
  verify(request: CallbackRequest): TelephonyEvent | "forged";
  reply(reply: TelephonyReply): CallbackResponse;
}

/** Creates them for callbacks below this URL. */
export function createSimulatedCallbacks(url: string): SimulatedCallbacks {
  const secret = randomBytes(32);
  const made: CallbackRequest[] = [];
  let held: CallbackRequest[] | undefined;
  let receive: ((request: CallbackRequest) => Promise<CallbackResponse>) | undefined;

  const signatureOf = (request: Pick<CallbackRequest, "url" | "body">) =>
    createHmac("sha256", secret).update(`${request.url}\n${request.body}`).digest();

  const deliver = async (request: CallbackRequest): Promise<TelephonyReply> => {
    if (receive === undefined) throw new Error("connect the simulator to a service first");
    const { status, body } = await receive(request);
    return status === 200 && body !== "" ? (JSON.parse(body) as TelephonyReply) : { kind: "nothing" };
  };

  return {
    made,
    deliver,
    connect(to) {
      receive = to;
    },
    async send(event) {
      const path = `/${event.kind}`;
      const unsigned = { url: `${url}${path}`, path, body: JSON.stringify(event) };
      const request = { ...unsigned, headers: { [SIGNATURE_HEADER]: signatureOf(unsigned).toString("hex") } };
      made.push(request);
      if (made.length > KEPT) made.shift();
      if (held === undefined) return deliver(request);
      held.push(request);
      return { kind: "nothing" };
    },
    hold() {
      held ??= [];
    },
    async release() {
      const waiting = held ?? [];
      held = undefined;
      for (const request of waiting) await deliver(request);
    },
    verify(request) {
      const signature = Buffer.from(request.headers[SIGNATURE_HEADER] ?? "", "hex");
      const expected = signatureOf(request);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return "forged";
      return JSON.parse(request.body) as TelephonyEvent;
    },
    reply: (reply) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(reply),
    }),
  };
}

import type { Dispatcher } from "undici";
import { MAX_BODY_BYTES } from "./answer.ts";

/** A response with the first 8 KB of its body, or less if the body ended early or came too slowly. */
export interface Exchange {
  status: number;
  retry_after: string | string[] | undefined;
  body: Uint8Array[];
}

/** A request to send. */
export interface Post {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Time limit for the body: only people read it, and a slow trickle costs us more than its sender. */
const BODY_TIMEOUT_MS = 1_000;

/**
 * Sends a POST and stops reading the response after 8 KB of body, or one second after the body started.
 * Rejects if there is no status, with code `DEADLINE` after `timeout_ms`. A dispatch handler costs a third of
 * a stream and an abort signal.
 */
export function exchange(dispatcher: Dispatcher, post: Post, timeout_ms: number): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Exchange | undefined;
    let length = 0;
    let finished = false;
    let bodyTimer: NodeJS.Timeout | undefined;

    const finish = (error: unknown) => {
      finished = true;
      clearTimeout(timer);
      clearTimeout(bodyTimer);
      if (answer === undefined) return reject(error);
      // Only the status matters, and it is there.
      resolve(answer);
    };
    const abort = (error: Error) => {
      finish(error);
      controller?.abort(error);
    };
    const timer = setTimeout(
      () => abort(Object.assign(new Error("deadline"), { code: "DEADLINE" })),
      timeout_ms,
    );

    dispatcher.dispatch(
      { ...post, method: "POST" },
      {
        onRequestStart(started) {
          controller = started;
          // The deadline passed while it waited for a connection.
          if (finished) started.abort(new Error("deadline"));
        },
        onResponseStart(_, status, headers) {
          // 1xx responses are interim.
          if (status >= 200) answer = { status, retry_after: headers["retry-after"], body: [] };
        },
        onResponseData(_, chunk) {
          if (finished) return;
          answer?.body.push(chunk);
          length += chunk.length;
          bodyTimer ??= setTimeout(() => abort(new Error("enough")), BODY_TIMEOUT_MS);
          if (length >= MAX_BODY_BYTES) abort(new Error("enough"));
        },
        onResponseEnd: () => finish(undefined),
        onResponseError: (_, error) => finish(error),
      },
    );
  });
}

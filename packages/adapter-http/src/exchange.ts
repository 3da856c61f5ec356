import type { Dispatcher } from "undici";
import { answerBytes } from "./answer.ts";

/**
 * What came back of a request: the body's first 8 KB, whether more followed, broke off or was cut off by a
 * deadline.
 */
export interface Exchange {
  status: number;
  retry_after: string | string[] | undefined;
  body: Uint8Array[];
}

/** What is sent. */
export interface Post {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * How long a body may take to come: what it says is for people, and each drop of it costs us more than its
 * sender.
 */
const bodyMs = 1_000;

/**
 * Posts over a dispatcher and lets go of the answer after its first 8 KB, or a second after they began to
 * come. Rejects when no status came, with the code `DEADLINE` when none came within `timeout_ms`. A handler
 * of undici's own does for each request what a stream and a signal would cost three times.
 */
export function exchange(dispatcher: Dispatcher, post: Post, timeout_ms: number): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Exchange | undefined;
    let length = 0;
    let over = false;
    let bodyTimer: NodeJS.Timeout | undefined;

    const end = (error: unknown) => {
      over = true;
      clearTimeout(timer);
      clearTimeout(bodyTimer);
      if (answer === undefined) return reject(error);
      // The status has come, and it is what counts.
      resolve(answer);
    };
    const cut = (error: Error) => {
      end(error);
      controller?.abort(error);
    };
    const timer = setTimeout(
      () => cut(Object.assign(new Error("deadline"), { code: "DEADLINE" })),
      timeout_ms,
    );

    dispatcher.dispatch(
      { ...post, method: "POST" },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for its connection until the deadline was over.
          if (over) started.abort(new Error("deadline"));
        },
        onResponseStart(_, status, headers) {
          // What is below 200 announces an answer.
          if (status >= 200) answer = { status, retry_after: headers["retry-after"], body: [] };
        },
        onResponseData(_, chunk) {
          if (over) return;
          answer?.body.push(chunk);
          length += chunk.length;
          bodyTimer ??= setTimeout(() => cut(new Error("enough")), bodyMs);
          if (length >= answerBytes) cut(new Error("enough"));
        },
        onResponseEnd: () => end(undefined),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}

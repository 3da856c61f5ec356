/** The store refused a request. The message has no more than the status and S3's code. */
export class StoreRefused extends Error {
  override name = "StoreRefused";
  /** S3's code, such as `NoSuchKey`; empty when the answer has none. */
  readonly code: string;
  /** Whether the same request can succeed a moment later. */
  readonly passing: boolean;

  constructor(status: number, code: string) {
    super(`The object store answered ${[status, code].filter(Boolean).join(" ")}.`);
    this.code = code;
    this.passing = status === 408 || status === 429 || status >= 500;
  }
}

/** The store didn't answer, or gave an unexpected answer; a retry may help. */
export class StoreUnreachable extends Error {
  override name = "StoreUnreachable";
}

declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  /** https://github.com/20minutes/s3rver, which comes without types. */
  class S3rver {
    constructor(options: { directory: string; silent: boolean; configureBuckets: { name: string }[] });
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }

  export = S3rver;
}

declare module "@20minutes/s3rver/lib/models/account.js" {
  /** The account whose keys the server knows. */
  const account: { DUMMY_ACCOUNT: { createKeyPair(id: string, secret: string): void } };
  export = account;
}

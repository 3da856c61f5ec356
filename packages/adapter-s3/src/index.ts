export { readS3Url, type S3Address } from "./s3-address.ts";
export { createS3Objects, type S3ObjectsOptions } from "./s3-objects.ts";

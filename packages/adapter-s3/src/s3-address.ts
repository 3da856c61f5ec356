import { isIP } from "node:net";
import { isPublicAddress } from "@letterslot/core/ports";

/** The location of objects, from a URL `s3://bucket/prefix?…`. */
export interface S3Address {
  /** The bucket's URL, without a slash at its end; every object is below it. */
  bucket_url: string;
  /** The prefix of every object's name: empty, or ending with a slash. */
  prefix: string;
  region: string;
  /** The store's encryption of objects; undefined: the bucket's default. */
  encryption: { algorithm: string; kms_key: string | undefined } | undefined;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^(?=.{3,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const PREFIX = /^(?=.{0,200}$)(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const KMS_KEY = /^[A-Za-z0-9:/_-]{1,256}$/;
const ALGORITHMS = ["AES256", "aws:kms", "aws:kms:dsse"];
const PARAMETERS = ["endpoint", "region", "encryption", "kms_key"];

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&encryption=…&kms_key=…`; the default endpoint is Amazon's. Throws an
 * error that describes the fault without any value.
 */
export function readS3Url(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:") throw new Error("The URL must begin with s3://.");
  if (url.username !== "" || url.password !== "")
    throw new Error("The URL must have no credentials: they are given beside it.");
  if (url.port !== "" || url.hash !== "") throw new Error("The URL may have no port and no fragment.");
  const bucket = url.hostname;
  if (!BUCKET.test(bucket)) throw new Error("The URL must name a bucket: s3://bucket.");
  const path = url.pathname.replace(/^\//, "").replace(/\/$/, "");
  const prefix = path === "" ? "" : `${path}/`;
  if (!PREFIX.test(prefix))
    throw new Error(
      "The prefix may have letters, digits, -, _, . and / alone, and no part that begins with a dot.",
    );
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name) || url.searchParams.getAll(name).length > 1)
      throw new Error(`The URL may have these parameters, once each: ${PARAMETERS.join(", ")}.`);
  const region = url.searchParams.get("region") ?? "us-east-1";
  if (!REGION.test(region)) throw new Error("The region is not valid.");
  return {
    bucket_url: bucketUrl(bucket, region, url.searchParams.get("endpoint")),
    prefix,
    region,
    encryption: encryptionOf(url.searchParams.get("encryption"), url.searchParams.get("kms_key")),
  };
}

function encryptionOf(algorithm: string | null, kms_key: string | null): S3Address["encryption"] {
  if (algorithm === null) {
    if (kms_key !== null) throw new Error("kms_key needs encryption=aws:kms.");
    return undefined;
  }
  if (!ALGORITHMS.includes(algorithm)) throw new Error(`encryption must be one of ${ALGORITHMS.join(", ")}.`);
  if (kms_key === null) return { algorithm, kms_key: undefined };
  if (algorithm === "AES256" || !KMS_KEY.test(kms_key)) throw new Error("kms_key needs encryption=aws:kms.");
  return { algorithm, kms_key };
}

/** At Amazon the bucket is in the host's name, unless it has dots, which no certificate covers; elsewhere in the path. */
function bucketUrl(bucket: string, region: string, endpoint: string | null): string {
  if (endpoint !== null) return `${checkedEndpoint(endpoint)}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/**
 * Without TLS anyone on the network path can read the mail: that is only for stores on this machine or a private
 * network.
 */
function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error("The endpoint must be a URL that begins with https:// or http://.");
  if (
    url.username !== "" ||
    url.password !== "" ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw new Error("The endpoint must be an address alone, such as https://s3.example.com.");
  if (url.protocol === "http:" && !isNear(url.hostname))
    throw new Error(
      "The endpoint must begin with https://, unless it is on this machine or a private network.",
    );
  return url.origin;
}

function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0) return !isPublicAddress(address);
  return !hostname.includes(".") || /\.(?:localhost|internal|local)$/.test(hostname);
}

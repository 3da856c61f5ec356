import { type Guard, guard } from "./guard.ts";

const request = "packages/adapter-s3/src/s3-request.ts";
const objects = "packages/adapter-s3/src/s3-objects.ts";
const address = "packages/adapter-s3/src/s3-address.ts";
const blobs = "packages/adapter-postgres/src/blob-objects.ts";
const overHttp = "packages/adapter-s3/src/s3-objects.test.ts";
const inDatabase = "packages/adapter-postgres/src/blob-objects.test.ts";

/** What lies in a bucket is what was put there, and is deleted when nothing names it. */
export const bucket: Guard[] = [
  guard(
    "bytes that don't match their hash are never given out",
    [objects, 'if (hash("sha256", bytes, "hex") !== sha256)', "if (bytes === undefined)"],
    [overHttp, "sends other bytes for good"],
  ),
  guard(
    "an object's bytes are read no further than its size",
    [request, "if (size > max_bytes)", "if (size < 0)"],
    [overHttp, "never stops sending"],
  ),
  guard(
    "mail for the bucket doesn't follow a redirect",
    [objects, 'redirect: "manual"', 'redirect: "follow"'],
    [overHttp, "points elsewhere"],
  ),
  guard(
    "a bucket that is missing doesn't make its objects missing",
    [objects, 'if (refusal.code === "NoSuchKey") return undefined;', "if (refusal.code) return undefined;"],
    [overHttp, "without the bucket is not a store without the object"],
  ),
  guard(
    "a store is waited for no longer than a try's time",
    [request, "Math.ceil(Math.min(try_ms, left_ms))", "Math.ceil(left_ms)"],
    [overHttp, "that hangs is left after a try's time"],
  ),
  guard(
    "an object's name leads nowhere else",
    [objects, "if (!NAME.test(name))", "if (name === undefined)"],
    [overHttp, "a name can't lead elsewhere"],
  ),
  guard(
    "a public store is reached by TLS only",
    [address, 'if (url.protocol === "http:" && !isNear(url.hostname))', "if (url.hostname === undefined)"],
    ["packages/adapter-s3/src/s3-address.test.ts", "without TLS"],
  ),
  guard(
    "each upload has a name of its own, which no deletion of an earlier one meets",
    [blobs, `\${sha256}-\${randomUUID()}`, `\${sha256}-\${randomUUID().length}`],
    [inDatabase, "put while they are deleted stay"],
  ),
  guard(
    "an upload that the sweep has doomed is never linked",
    [blobs, `and not "doomed" for update`, "for update"],
    [inDatabase, "whose upload was swept meanwhile"],
  ),
  guard(
    "an upload under way is not swept",
    [blobs, "now - UNLINKED_MS]", "now]"],
    [inDatabase, "are swept after an hour, not before"],
  ),
];

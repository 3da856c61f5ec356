import { describe, expect, test } from "vitest";
import { readS3Url } from "./s3-address.ts";

describe("a URL of a bucket", () => {
  test.each([
    ["s3://mail", "https://mail.s3.us-east-1.amazonaws.com", ""],
    ["s3://mail/a/b-c/?region=eu-central-1", "https://mail.s3.eu-central-1.amazonaws.com", "a/b-c/"],
    ["s3://mail.example?region=eu-west-1", "https://s3.eu-west-1.amazonaws.com/mail.example", ""],
    ["s3://mail/p?endpoint=https://store.example:9000", "https://store.example:9000/mail", "p/"],
    ["s3://mail?endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000/mail", ""],
    ["s3://mail?endpoint=http://[::1]:9000/", "http://[::1]:9000/mail", ""],
    ["s3://mail?endpoint=http://10.1.2.3", "http://10.1.2.3/mail", ""],
    ["s3://mail?endpoint=http://minio:9000", "http://minio:9000/mail", ""],
  ])("%s is at %s with the prefix %j", (url, bucket_url, prefix) => {
    expect(readS3Url(url)).toMatchObject({ bucket_url, prefix });
  });

  test("says how the store encrypts", () => {
    expect(readS3Url("s3://mail").encryption).toBeUndefined();
    expect(readS3Url("s3://mail?encryption=AES256").encryption).toEqual({ algorithm: "AES256" });
    expect(readS3Url("s3://mail?encryption=aws:kms&kms_key=alias/mail").encryption).toEqual({
      algorithm: "aws:kms",
      kms_key: "alias/mail",
    });
  });

  test.each([
    ["no URL", "mail"],
    ["another protocol", "https://mail"],
    ["no bucket", "s3:///prefix"],
    ["a bucket in capitals", "s3://Mail"],
    ["a bucket with neighbouring dots", "s3://a..b"],
    ["a bucket of two characters", "s3://ab"],
    ["credentials", "s3://key:hunter2hunter2@mail"],
    ["a port", "s3://mail:9000"],
    ["an encoded slash", "s3://mail/a%2f..%2fb"],
    ["an empty part", "s3://mail/a//b"],
    ["a part that begins with a dot", "s3://mail/.hidden"],
    ["a long prefix", `s3://mail/${"a".repeat(201)}`],
    ["a parameter that doesn't exist", "s3://mail?regoin=eu-west-1"],
    ["a parameter twice", "s3://mail?region=a&region=b"],
    ["a region that is a host", "s3://mail?region=evil.example%23"],
    ["another encryption", "s3://mail?encryption=rot13"],
    ["a key without KMS", "s3://mail?kms_key=alias/mail"],
    ["a key that breaks a header", "s3://mail?encryption=aws:kms&kms_key=a%0d%0ab"],
    ["an endpoint that is no URL", "s3://mail?endpoint=store.example"],
    ["an endpoint with a path", "s3://mail?endpoint=https://store.example/s3"],
    ["an endpoint with credentials", "s3://mail?endpoint=https://a:hunter2hunter2@store.example"],
    ["an endpoint of another protocol", "s3://mail?endpoint=file:///etc"],
    ["a public endpoint without TLS", "s3://mail?endpoint=http://store.example"],
    ["a public address without TLS", "s3://mail?endpoint=http://8.8.8.8"],
  ])("with %s is refused, without repeating it", (_, url) => {
    expect(() => readS3Url(url)).toThrow(/^(?!.*hunter2)[A-Z]/i);
  });

  test("can't lead out of its prefix", () => {
    expect(readS3Url("s3://mail/a/../../b").prefix).toBe("b/");
  });
});

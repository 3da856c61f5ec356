import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Expected, PublishedKey, Vector, Vectors } from "../examples/receipts/vectors.ts";
import { canonicalJson } from "../packages/core/src/kernel/idempotency.ts";
import { type Claims, hashOfReceipt, signReceipt } from "../packages/core/src/owners/receipts/jws.ts";
import {
  type ReceiptFacts,
  receiptClaims,
  sentClaims,
  statementOf,
} from "../packages/core/src/owners/receipts/rules.ts";
import { ROOT } from "./run-command.ts";

/**
 * Writes examples/receipts/vectors.json: receipts made as the service makes them, valid ones and forged ones, for everybody
 * who writes a verifier. Its keys are known to all and sign nothing else.
 */

const FILE = join(ROOT, "examples/receipts/vectors.json");
const ISS = "https://mail.example.com";
const ACCOUNT = "acct_3kq8z0m4v1c7rw5x2y6h";
const OTHER_DIGEST = `sha-256:${"ab".repeat(32)}`;

/** An Ed25519 key from 32 equal bytes. */
function signer(byte: number, times: { created_at: string; retired_at: string | null }) {
  const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
  const der = Buffer.concat([prefix, Buffer.alloc(32, byte)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
  const published: PublishedKey = { kty: "OKP", crv: "Ed25519", x, kid, ...times };
  return { kid, key, published };
}

const retired = signer(1, { created_at: "2026-01-05T09:00:00.000Z", retired_at: "2026-06-01T00:00:00.000Z" });
const current = signer(2, { created_at: "2026-06-01T00:00:00.000Z", retired_at: null });
const stranger = signer(3, { created_at: "2026-01-01T00:00:00.000Z", retired_at: null });
const device = signer(4, { created_at: "2026-01-01T00:00:00.000Z", retired_at: null });
const otherDevice = signer(5, { created_at: "2026-01-01T00:00:00.000Z", retired_at: null });

const at = (time: string) => Math.floor(Date.parse(time) / 1000);

/** The facts of a decision. */
function factsOf(id: string, asked: string, more: Partial<ReceiptFacts["approval"]> = {}): ReceiptFacts {
  return {
    iss: ISS,
    salt: createHash("sha256").update(id).digest("hex").slice(0, 32),
    approval: {
      ...{ id, account_id: ACCOUNT, inbox_id: "inb_3kq8z0m4v1c7rw5x2y6h", subject_type: "draft" },
      digest: `sha-256:${createHash("sha256").update(`mail of ${id}`).digest("hex")}`,
      ...{ reasons: [{ code: "new_recipient", detail: "ada@example.org" }], edited: false },
      asked_by: { key_id: "key_3kq8z0m4v1c7rw5x2y6h", client_id: null },
      ...{ requested_at: asked, expires_at: new Date(Date.parse(asked) + 72 * 3600_000).toISOString() },
      ...more,
    },
    decision: "approve",
    decided_by: { owner_id: null, email: "grace@example.com", method: "session" },
    from: "agent@mail.example.com",
    mail: { to: ["ada@example.org"], cc: [], bcc: [], subject: "Offer" },
  };
}

interface Made {
  prev?: string | null;
  iat: string;
  evidence?: readonly Claims[];
  by?: { kid: string; key: KeyObject };
}

const receipt = (
  facts: ReceiptFacts,
  { prev = null, iat, evidence = [{ type: "none" }], by = current }: Made,
) => signReceipt(by, receiptClaims(statementOf(facts), { iat: at(iat), prev, evidence }));

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();

/** What a device signs of a decision. */
function assertion(
  facts: ReceiptFacts,
  { by = device, origin = ISS, flags = 5 }: { by?: typeof device; origin?: string; flags?: number } = {},
): Claims {
  const challenge = sha256(canonicalJson(statementOf(facts))).toString("base64url");
  const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
  const data = Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags, 0, 0, 0, 7])]);
  return {
    type: "passkey",
    credential_id: sha256(by.kid).toString("base64url"),
    public_key: jwkOf(by),
    client_data: client.toString("base64url"),
    authenticator_data: data.toString("base64url"),
    signature: sign(null, Buffer.concat([data, sha256(client)]), by.key).toString("base64url"),
  };
}

const jwkOf = ({ published: { kty, crv, x } }: typeof device) => ({ kty, crv, x });

const OLD = "2026-05-20T08:00:00.000Z";
const NEW = "2026-07-01T08:00:00.000Z";
const eml = [
  ...["From: agent@mail.example.com", "To: ada@example.org", "Subject: Offer", "MIME-Version: 1.0"],
  ...["Content-Type: text/plain; charset=utf-8", "", "42 euros", ""],
].join("\r\n");
const above = `Return-Path: <bounces@mail.example.com>\r\nReceived: from mail.example.com\r\n\tby mx.example.org; Wed, 1 Jul 2026 09:00:05 +0000\r\n`;

const first = factsOf("apr_3kq8z0m4v1c7rw5x2a01", OLD);
const second = factsOf("apr_3kq8z0m4v1c7rw5x2a02", NEW);
const third = factsOf("apr_3kq8z0m4v1c7rw5x2a03", NEW);
const older = OTHER_DIGEST;
const firstJws = receipt(first, { iat: "2026-05-20T09:00:00.000Z", by: retired });
const secondJws = receipt(second, { iat: "2026-07-01T09:00:00.000Z", prev: hashOfReceipt(firstJws) });
const sentJws = signReceipt(
  current,
  sentClaims(statementOf(second), {
    ...{
      parent: hashOfReceipt(secondJws),
      prev: hashOfReceipt(secondJws),
      iat: at("2026-07-01T09:00:02.000Z"),
    },
    ...{ message_id: "msg_3kq8z0m4v1c7rw5x2y6h", mime_sha256: sha256(eml).toString("hex") },
  }),
);
const signedByDevice = receipt(third, {
  ...{ iat: "2026-07-01T10:00:00.000Z", prev: hashOfReceipt(sentJws), evidence: [assertion(third)] },
});
const rejected = { ...factsOf("apr_3kq8z0m4v1c7rw5x2a04", NEW), decision: "reject" as const };
const rejectedJws = receipt(rejected, {
  iat: "2026-07-01T11:00:00.000Z",
  prev: hashOfReceipt(signedByDevice),
});

/** What a mail server signed of a reply: its key is as real ones are, and was thrown away. */
const reply = {
  ...{ type: "dkim", d: "example.com", s: "s1" },
  key: "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAlEv37ijsQRi1NdfyjyldNEkzhYuyZCGNSsgBeArjuxwUxI4JZzxPmQXowmOQAsx9O/7bn5qrbagPQICMxv+aN2u/97dNSojhCbdxvis/3BK3/85FDLeOE2IhWEuE8NVCHY2WazvJPe6Eo1pbfTDhnNXUlM7HuUFZmjfqlxddL9U6AYjpalM+9ppJJTZ5oVv9qOQHmGfhBlflHyhDjBj6bVlpmMp739dldDxEQ8aTUAD/n1MSNK1UVuZp66hhvM54Pa3oeee4yCMFm12o+gtLWs9fzhsgNX3Lnd3ZgZHXUyfZMOMYl59fVu6Y500I+VwZoJzh/m93rTKEpLJHL6s4dwIDAQAB",
  signature:
    "LxXV9th+u3RdiV7IlSnbypH8/2gCKyO9vJ6k27eFsrxlN8CGkpMFjk0i2L7qvC9m0WZpEsyihsxlZCMRaJEDKVjUFWzyA4frxrI5sTMKl/gzm8ApdeO1ds+zVAjBh9nv/Hjn2hjSScrkXZLtqyVCkV2v3cZ1B6CSjbdHqfSiic30V8pJLSdGz7+3S+UoerzrVzxyDPiFnjEFVp2QOwemT4S3FhXH/rwAP+YDxeYo14s/P+8mWtbLXyBg4sk9cgqR6jy9hJYa39sOy2Y4xEQh6T/1sCZrq8Qhd2c9ZsaLpf5jOSHs5vIx63/JWAtr/cVay/Nu0tBGgftqlBcbizZBaw==",
  header_hash: "5193fb481343c33aa69ca504c2fff81f3c00604e371179cb0e855c4be7b1a8c6",
  body_hash: "8f770e3481e54a3f7b206acde71dc9bce617a7559ec197ac2a4baf5a24fef053",
};
const answered = factsOf("apr_3kq8z0m4v1c7rw5x2a05", NEW);
const byReply = { ...answered, decided_by: { ...answered.decided_by, method: "reply" as const } };
const ed25519Reply = {
  ...{ type: "dkim", d: "example.com", s: "s2", header_hash: reply.header_hash, body_hash: reply.body_hash },
  key: createPublicKey(device.key).export({ format: "der", type: "spki" }).toString("base64"),
  signature: sign(null, Buffer.from(reply.header_hash, "hex"), device.key).toString("base64"),
};
const repliedJws = receipt(byReply, {
  ...{ iat: "2026-07-01T12:00:00.000Z", prev: hashOfReceipt(rejectedJws), evidence: [reply, ed25519Reply] },
});
const otherHeader = { ...reply, header_hash: "ab".repeat(32) };
const otherEd25519 = { ...ed25519Reply, header_hash: "ab".repeat(32) };

const whole = (facts: ReceiptFacts): Expected => ({
  iss: ISS,
  account: ACCOUNT,
  approval: facts.approval.id,
  digest: facts.approval.digest,
});

/** A receipt with another payload under the same signature. */
function altered(jws: string, change: Claims): string {
  const [header = "", body = "", signature = ""] = jws.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as Claims;
  return `${header}.${Buffer.from(canonicalJson({ ...claims, ...change })).toString("base64url")}.${signature}`;
}

const unsigned = (jws: string) =>
  `${Buffer.from('{"alg":"none","typ":"approval-receipt+jwt"}').toString("base64url")}.${jws.split(".")[1]}.`;

const byStranger = receipt(second, { iat: NEW, by: { ...stranger, kid: current.kid } });
const passkey = (evidence: Claims) =>
  receipt(third, { iat: "2026-07-01T10:00:00.000Z", evidence: [evidence] });
const rejectsThird = { ...third, decision: "reject" as const };
const device_keys = { approver_keys: [jwkOf(device)] };

const good: Omit<Vector, "refused">[] = [
  {
    name: "first",
    says: "The first receipt of an account, by a key that was retired later.",
    jws: firstJws,
    expect: { ...whole(first), prev: null },
  },
  {
    name: "second",
    says: "The next one, by the present key.",
    jws: secondJws,
    expect: { ...whole(second), prev: hashOfReceipt(firstJws) },
  },
  {
    name: "sent",
    says: "The mail that was approved left, with these bytes.",
    jws: sentJws,
    expect: {
      iss: ISS,
      account: ACCOUNT,
      approval: second.approval.id,
      parent: secondJws,
      prev: hashOfReceipt(secondJws),
    },
    eml,
  },
  {
    name: "received",
    says: "The same mail as it arrived, under what servers wrote above it.",
    jws: sentJws,
    expect: { parent: secondJws },
    eml: above + eml,
  },
  {
    name: "passkey",
    says: "Signed by the person's own device too.",
    jws: signedByDevice,
    expect: { ...whole(third), ...device_keys, prev: hashOfReceipt(sentJws) },
  },
  {
    name: "rejected",
    says: "A mail that a person refused.",
    jws: rejectedJws,
    expect: { ...whole(rejected), prev: hashOfReceipt(signedByDevice) },
  },
  {
    name: "reply",
    says: "Decided by a reply, which the person's mail server signed.",
    jws: repliedJws,
    expect: { ...whole(byReply), prev: hashOfReceipt(rejectedJws) },
  },
];

const bad: Vector[] = [
  {
    name: "changed decision",
    says: "Somebody made an approval of a rejection.",
    jws: altered(rejectedJws, { decision: "approve" }),
    expect: {},
    refused: "invalid_signature",
  },
  {
    name: "other key",
    says: "Signed by somebody else, under the id of the service's key.",
    jws: byStranger,
    expect: {},
    refused: "invalid_signature",
  },
  {
    name: "unknown key",
    says: "Signed by a key that was never published.",
    jws: receipt(second, { iat: NEW, by: stranger }),
    expect: {},
    refused: "unknown_key",
  },
  {
    name: "unsigned",
    says: "It says itself that it needs no signature.",
    jws: unsigned(secondJws),
    expect: {},
    refused: "malformed",
  },
  {
    name: "half",
    says: "The signature is missing.",
    jws: secondJws.split(".").slice(0, 2).join("."),
    expect: {},
    refused: "malformed",
  },
  {
    name: "key rotated out before",
    says: "Signed by a key a month after it was retired: whoever stole it can't date back what is chained.",
    jws: receipt(second, { iat: NEW, by: retired }),
    expect: {},
    refused: "key_not_valid_then",
  },
  {
    name: "key made later",
    says: "Dated before its key was made.",
    jws: receipt(first, { iat: OLD }),
    expect: {},
    refused: "key_not_valid_then",
  },
  {
    name: "replayed",
    says: "The receipt of one approval, shown again for another.",
    jws: secondJws,
    expect: { approval: third.approval.id },
    refused: "other_approval",
  },
  {
    name: "wrong account",
    says: "A receipt of another account.",
    jws: receipt(factsOf(second.approval.id, NEW, { account_id: "acct_0000000000000000000z" }), { iat: NEW }),
    expect: { iss: ISS, account: ACCOUNT },
    refused: "other_account",
  },
  {
    name: "another issuer",
    says: "A receipt of another service that has the same key.",
    jws: receipt({ ...second, iss: "https://mail.example.net" }, { iat: NEW }),
    expect: { iss: ISS },
    refused: "other_issuer",
  },
  {
    name: "another digest",
    says: "A receipt for another mail.",
    jws: secondJws,
    expect: { digest: OTHER_DIGEST },
    refused: "other_digest",
  },
  {
    name: "older version",
    says: "What was approved is an older version of the draft than the one at hand.",
    jws: receipt(factsOf(second.approval.id, NEW, { digest: older }), { iat: NEW }),
    expect: whole(second),
    refused: "other_digest",
  },
  {
    name: "another decision",
    says: "A receipt of a rejection, shown as if it were an approval.",
    jws: rejectedJws,
    expect: { decision: "approve" },
    refused: "other_decision",
  },
  {
    name: "expired",
    says: "Decided after the approval had expired.",
    jws: receipt(second, { iat: "2026-07-05T09:00:00.000Z" }),
    expect: {},
    refused: "decided_too_late",
  },
  {
    name: "broken chain",
    says: "A receipt between was removed.",
    jws: rejectedJws,
    expect: { prev: hashOfReceipt(sentJws) },
    refused: "broken_chain",
  },
  {
    name: "removed beginning",
    says: "It is shown as the first of the account, and isn't.",
    jws: secondJws,
    expect: { prev: null },
    refused: "broken_chain",
  },
  {
    name: "other parent",
    says: "The mail of another approval left.",
    jws: sentJws,
    expect: { parent: firstJws },
    refused: "other_parent",
  },
  {
    name: "changed mail",
    says: "The mail is another than the one that left.",
    jws: sentJws,
    expect: { parent: secondJws },
    eml: eml.replace("42", "43"),
    refused: "other_mail",
  },
  {
    name: "changed subject",
    says: "A second subject stands above the mail.",
    jws: sentJws,
    expect: {},
    eml: `Subject: New\r\n${eml}`,
    refused: "other_mail",
  },
  {
    name: "no passkey",
    says: "The person is known to sign with a device, and didn't.",
    jws: secondJws,
    expect: device_keys,
    refused: "no_passkey",
  },
  {
    name: "other passkey",
    says: "Signed with a device that isn't the person's.",
    jws: passkey(assertion(third, { by: otherDevice })),
    expect: device_keys,
    refused: "invalid_passkey",
  },
  {
    name: "passkey for another decision",
    says: "The device signed a rejection.",
    jws: passkey(assertion(rejectsThird)),
    expect: device_keys,
    refused: "invalid_passkey",
  },
  {
    name: "passkey on another page",
    says: "The device signed for a page that looks alike.",
    jws: passkey(assertion(third, { origin: "https://mail.example.co" })),
    expect: device_keys,
    refused: "invalid_passkey",
  },
  {
    name: "passkey without its person",
    says: "The device didn't verify its person.",
    jws: passkey(assertion(third, { flags: 1 })),
    expect: device_keys,
    refused: "invalid_passkey",
  },
  {
    name: "other reply",
    says: "The mail server signed another mail.",
    jws: receipt(byReply, { iat: "2026-07-01T12:00:00.000Z", evidence: [otherHeader] }),
    expect: {},
    refused: "invalid_dkim",
  },
  {
    name: "other reply by Ed25519",
    says: "The same, with the other kind of key that DKIM knows.",
    jws: receipt(byReply, { iat: "2026-07-01T12:00:00.000Z", evidence: [otherEd25519] }),
    expect: {},
    refused: "invalid_dkim",
  },
];

/** The vectors as they should be in the file. */
export const makeVectors = (): Vectors => ({
  keys: [retired.published, current.published],
  vectors: [...good.map((vector) => ({ ...vector, refused: null })), ...bad],
});

if (import.meta.main) {
  const text = `${JSON.stringify(makeVectors(), null, 2)}\n`;
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) writeFileSync(FILE, text);
}

import type { Content, DocumentedOperation, OpenApiDocument } from "./document.ts";
import { deliveryReports } from "./report-paths.ts";
import type { Schema } from "./schemas.ts";
import { fileOfLink, viewOfMail } from "./word-paths.ts";

type Paths = OpenApiDocument["paths"];

const ERROR = { $ref: "#/components/responses/Error" };
const text = (description: string): Schema => ({ type: "string", description });
const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });
const whether = (description: string): Schema => ({ type: "boolean", description });

/** The security schemes for an operator's own programs, by the names that the paths below use. */
export const OPERATOR_SCHEMES: Record<string, Record<string, string>> = {
  reports_secret: { type: "http", scheme: "bearer", description: "The operator's REPORTS_SECRET." },
  cron_secret: { type: "http", scheme: "bearer", description: "The operator's CRON_SECRET." },
  inbound_secret: {
    type: "apiKey",
    in: "header",
    name: "X-Svc-Inbound-Secret",
    description: "The operator's INBOUND_SECRET.",
  },
};

/**
 * The paths of the interface that are no operations of their own: another path of one, and the operator's.
 * `paths` are those of the operations.
 */
export function furtherPaths(base_url: string, paths: Paths): Paths {
  return {
    "/api/v1/inboxes/batch": {
      ...paths["/api/v1/inboxes/batch"],
      patch: updateOfBatch(paths["/api/v1/inboxes/{inbox_id}"]?.["patch"] as DocumentedOperation),
    },
    "/api/v1/uploads": { put: uploadBytes(base_url) },
    "/api/v1/files": { get: fileOfLink(base_url) },
    "/view/{word}": { get: viewOfMail(base_url) },
    "/api/v1/internal/digests/flush": {
      get: digestFlush(base_url, "GET", [{ cron_secret: [] }]),
      post: digestFlush(base_url, "POST", [{ cron_secret: [] }, { inbound_secret: [] }]),
    },
    "/api/v1/internal/delivery-reports": { post: deliveryReports(base_url) },
    "/api/v1/internal/inbound": { post: internalInbound(base_url) },
    "/api/v1/internal/telephony/{provider}/{callback}": { post: telephonyCallback(base_url) },
    "/.well-known/approval-keys.json": { get: approvalKeys(base_url) },
  };
}

/** New inboxes can't be named `batch`, as POST to this path creates many; an older one is changed here. */
function updateOfBatch(update: DocumentedOperation): DocumentedOperation {
  return {
    ...update,
    operationId: "inboxes.update.batch",
    summary: "Changes the inbox whose username is batch, as PATCH /inboxes/:inbox_id does.",
    description: "An older account has an inbox with this username; new ones can't be named so.",
    parameters: update.parameters.filter(({ name }) => name !== "inbox_id"),
    "x-codeSamples": update["x-codeSamples"]
      .filter(({ label }) => label === "curl")
      .map((sample) => ({ ...sample, source: sample.source.replace(/inboxes\/[^'"\s]+/, "inboxes/batch") })),
  };
}

const approvalKeys = (base_url: string): DocumentedOperation => ({
  operationId: "approvals.keys",
  summary: "Shows the public keys that receipts of approvals are signed with, the retired ones too (JWK).",
  description:
    "Verify a receipt, or note the keys early, so that nobody can exchange them later. They change only when the operator rotates them.",
  tags: ["approvals"],
  security: [{}],
  "x-errors": [],
  "x-codeSamples": curl(`curl ${base_url}/.well-known/approval-keys.json`),
  parameters: [],
  responses: {
    "200": {
      description: "The keys, oldest first; the last one signs now.",
      content: json(
        {
          type: "object",
          properties: {
            keys: {
              type: "array",
              description: "The keys, oldest first; the last one signs now.",
              items: {
                type: "object",
                properties: {
                  kid: text("The key's id, by RFC 7638: the `kid` of the receipts that it signed."),
                  ...{ kty: text("Always `OKP`."), crv: text("Always `Ed25519`."), x: text("The key.") },
                  ...{ alg: text("Always `EdDSA`."), use: text("Always `sig`.") },
                  created_at: text("When it began to sign (ISO 8601, UTC)."),
                  retired_at: textOrNull("When it stopped; null for the one that signs now."),
                },
              },
            },
          },
        },
        {
          keys: [
            {
              ...{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
              ...{ kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", alg: "EdDSA", use: "sig" },
              ...{ created_at: "2026-01-05T09:00:00.000Z", retired_at: null },
            },
          ],
        },
      ),
    },
  },
});

const curl = (source: string) => [{ lang: "Shell", label: "curl", source }];

const uploadBytes = (base_url: string): DocumentedOperation => ({
  operationId: "uploads.put",
  summary: "Takes the bytes of an upload, at the address that creating it showed.",
  description:
    "Send a file that an upload was created for: the whole file as the body, once, within 15 minutes, without a key. What breaks off leaves nothing and may be sent again; the same bytes again change nothing.",
  tags: ["uploads"],
  security: [{}],
  "x-errors": [
    "upload_not_found",
    "account_suspended",
    "upload_already_ready",
    "upload_size_mismatch",
    "upload_too_large",
    "plan_limit_exceeded",
    "too_many_bytes",
    "request_timeout",
    "unsupported_content_encoding",
    "storage_unavailable",
  ],
  "x-codeSamples": curl(`curl -T report.pdf "${base_url}/api/v1/uploads?word=$WORD"`),
  parameters: [
    {
      name: "word",
      in: "query",
      required: true,
      description: "The word of the upload, as `put_url` has it.",
      schema: { type: "string" },
    },
  ],
  requestBody: {
    required: true,
    content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
  },
  responses: {
    "200": {
      description: "The upload, which is ready.",
      content: json(
        { $ref: "#/components/schemas/Upload" },
        {
          ...{ object: "upload", id: "upl_01kb0c4fj8k2v6s5m9x7", inbox_id: "inb_01kb0c4fj8k2v6s5m9x7" },
          ...{ status: "ready", filename: "report.pdf", content_type: "application/pdf", size_bytes: 48_211 },
          sha256: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
          ...{ created_at: "2026-11-20T08:00:00.000Z", expires_at: "2026-11-21T08:00:10.000Z" },
        },
      ),
    },
    ...Object.fromEntries(
      ["400", "402", "403", "404", "408", "409", "413", "415", "429", "503"].map((status) => [status, ERROR]),
    ),
  },
});

const digestFlush = (
  base_url: string,
  method: "GET" | "POST",
  security: DocumentedOperation["security"],
): DocumentedOperation => ({
  operationId: `operator.flushDigests.${method.toLowerCase()}`,
  summary: "Sends all queued digests of all accounts now, for an operator's own timer.",
  description:
    "A timer outside the service is to send them, or they are to be sent early. 404 while the server has no CRON_SECRET or INBOUND_SECRET. Opening a link never sends: see security.",
  tags: ["operator"],
  security,
  "x-errors": ["invalid_operator_secret", "route_not_found"],
  "x-codeSamples": curl(
    `curl${method === "POST" ? " -X POST" : ""} ${base_url}/api/v1/internal/digests/flush \\\n  -H "Authorization: Bearer $CRON_SECRET"`,
  ),
  parameters: [],
  responses: {
    "200": {
      description: "How many owners had digests, with how many updates, and how many letters went out.",
      content: json(
        { $ref: "#/components/schemas/DigestFlush" },
        { object: "digest_flush", owners: 1, updates: 3, sent: 1 },
      ),
    },
    "401": ERROR,
    "404": ERROR,
  },
});

const ENVELOPE_HEADERS = {
  "X-Svc-Mail-From":
    "The address of MAIL FROM, for a mail that is sent as message/rfc822; empty for a bounce.",
  "X-Svc-Rcpt-To": "The address of RCPT TO, for a mail that is sent as message/rfc822; several with commas.",
  "X-Svc-Client-Ip": "The IP address that the mail came from, for SPF and for limits.",
  "X-Svc-Helo": "What the sending server called itself, for SPF.",
};

const internalInbound = (base_url: string): DocumentedOperation => ({
  operationId: "operator.receive",
  summary: "Takes in mail from an operator's own mail server.",
  description:
    "Mail arrives at a mail server of yours that hands it over by HTTP instead of SMTP. 404 while the server has no INBOUND_SECRET.",
  tags: ["operator"],
  security: [{ inbound_secret: [] }],
  "x-errors": [
    "invalid_operator_secret",
    "route_not_found",
    "invalid_address",
    "message_too_large",
    "mail_unreadable",
    "mail_too_complex",
    "sender_check_unavailable",
    "recipient_deferred",
  ],
  "x-codeSamples": curl(
    `curl -X POST ${base_url}/api/v1/internal/inbound \\\n  -H "X-Svc-Inbound-Secret: $INBOUND_SECRET" \\\n  -H "X-Svc-Mail-From: olga@owner.example" \\\n  -H "X-Svc-Rcpt-To: agent@letterslot.example" \\\n  -H "Content-Type: message/rfc822" \\\n  --data-binary @mail.eml`,
  ),
  parameters: Object.entries(ENVELOPE_HEADERS).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  })),
  requestBody: {
    required: true,
    content: {
      "message/rfc822": { schema: { type: "string", format: "binary" } },
      ...json(
        {
          type: "object",
          properties: {
            mail_from: text("The address of MAIL FROM; empty for a bounce."),
            rcpt_to: {
              anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
              description: "The address or addresses of RCPT TO.",
            },
            client_ip: textOrNull("The IP address that the mail came from, for SPF and for limits."),
            helo: textOrNull("What the sending server called itself, for SPF."),
            raw: { ...text("The whole mail in Base64."), contentEncoding: "base64" } as Schema,
          },
          required: ["rcpt_to", "raw"],
          additionalProperties: false,
        },
        { mail_from: "olga@owner.example", rcpt_to: "agent@letterslot.example", raw: "RnJvbTog…" },
      ),
    },
  },
  responses: {
    "200": {
      description: "What became of the mail for each recipient.",
      content: json(
        {
          type: "object",
          properties: {
            ...OUTCOME,
            results: {
              type: "array",
              description: "What became of it for each recipient.",
              items: {
                type: "object",
                properties: {
                  recipient: text("The recipient's address."),
                  ...OUTCOME,
                  message_id: textOrNull("The stored message; null if there is none."),
                },
                required: ["recipient", "accepted", "dropped", "reason", "message_id"],
                additionalProperties: false,
              },
            },
          },
          required: ["accepted", "dropped", "reason", "results"],
          additionalProperties: false,
        },
        {
          ...ACCEPTED,
          results: [
            {
              recipient: "agent@letterslot.example",
              ...ACCEPTED,
              message_id: "msg_01kab3x9t2m4v6w8y0z5",
            },
          ],
        },
      ),
    },
    ...Object.fromEntries(
      ["400", "401", "404", "408", "413", "415", "429", "503"].map((status) => [status, ERROR]),
    ),
  },
});

const telephonyCallback = (base_url: string): DocumentedOperation => ({
  operationId: "operator.telephonyCallback",
  summary: "Takes in what the telephony provider reports: texts, calls, recordings and what became of ours.",
  description:
    "The provider calls it; numbers are bought with its URL. It must have signed the request for this URL below BASE_URL, as Twilio does with X-Twilio-Signature. A repeated one changes nothing. 503 asks the provider to send it again.",
  tags: ["operator"],
  security: [{}],
  "x-errors": [
    "callback_refused",
    "route_not_found",
    "request_too_large",
    "too_many_bytes",
    "storage_unavailable",
  ],
  "x-codeSamples": curl(
    `curl ${base_url}/api/v1/internal/telephony/twilio/sms \\\n  -H "X-Twilio-Signature: $SIGNATURE" \\\n  -d MessageSid=SM… -d From=+14155550123 -d To=+14155550100 -d Body=Hello`,
  ),
  parameters: [
    {
      name: "provider",
      in: "path",
      required: true,
      description: "The provider's name, such as `twilio`; 404 for any but the one in use.",
      schema: { type: "string" },
    },
    {
      name: "callback",
      in: "path",
      required: true,
      description: "What it reports, such as `sms` or `voice`.",
      schema: { type: "string" },
    },
  ],
  requestBody: {
    required: true,
    content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } },
  },
  responses: {
    "200": {
      description: "What the provider shall do next, in its own form: TwiML for Twilio.",
      content: { "text/xml": { schema: { type: "string" } } },
    },
    ...Object.fromEntries(["403", "404", "408", "413", "415", "429", "503"].map((status) => [status, ERROR])),
  },
});

const OUTCOME: Record<string, Schema> = {
  accepted: whether("Whether it was stored."),
  dropped: whether("Whether it was dropped on purpose, such as by a list."),
  reason: textOrNull("Why it was dropped or refused; null if it was stored."),
};
const ACCEPTED = { accepted: true, dropped: false, reason: null };

function json(schema: Schema, example: unknown): Content {
  return { "application/json": { schema, example } };
}

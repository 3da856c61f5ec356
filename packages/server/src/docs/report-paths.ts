import type { Content, DocumentedOperation } from "./document.ts";
import type { Schema } from "./schemas.ts";

const ERROR = { $ref: "#/components/responses/Error" };
const text = (description: string): Schema => ({ type: "string", description });
const curl = (source: string) => [{ lang: "Shell", label: "curl", source }];
const json = (schema: Schema, example: unknown): Content => ({ "application/json": { schema, example } });

/** The path by which a relay's reports come. */
export const deliveryReports = (base_url: string): DocumentedOperation => ({
  operationId: "operator.reportDeliveries",
  summary: "Takes in what the relay of SMTP_URL reports of mail that was handed to it.",
  description:
    "Bounces, complaints and deliveries that a relay tells by webhook, passed on by an adapter of yours that has checked who says so. At most 1,000 reports and 1 MB a call. 404 while the server has no REPORTS_SECRET.",
  tags: ["operator"],
  security: [{ reports_secret: [] }],
  "x-errors": ["invalid_operator_secret", "route_not_found"],
  "x-codeSamples": curl(
    `curl -X POST ${base_url}/api/v1/internal/delivery-reports \\\n  -H "Authorization: Bearer $REPORTS_SECRET" \\\n  -H "Content-Type: application/json" \\\n  -d '{"reports": [{"provider_id": "0100018", "recipient": "ada@example.com", "type": "bounced", "at": "2026-11-20T08:00:00Z"}]}'`,
  ),
  parameters: [],
  requestBody: {
    required: true,
    content: json(
      {
        type: "object",
        properties: {
          reports: {
            type: "array",
            description: "The reports, 1 to 1,000.",
            items: {
              type: "object",
              properties: {
                message_id: text("The mail's Message-ID; else provider_id."),
                provider_id: text("The id under which the relay took the mail."),
                recipient: text("The address that it is about."),
                type: {
                  type: "string",
                  enum: ["delivered", "bounced", "deferred", "complained"],
                  description: "What became of the mail there.",
                },
                permanent: {
                  type: "boolean",
                  description: "Of a bounce: whether the address will never take mail; true by default.",
                },
                detail: text("What the recipient's mail server said."),
                at: text("When it happened (ISO 8601)."),
              },
              required: ["recipient", "type", "at"],
              additionalProperties: false,
            },
          },
        },
        required: ["reports"],
        additionalProperties: false,
      },
      {
        reports: [
          {
            provider_id: "0100018",
            recipient: "ada@example.com",
            type: "bounced",
            at: "2026-11-20T08:00:00Z",
          },
        ],
      },
    ),
  },
  responses: {
    "200": {
      description: "How many reports said something new, how many were known, and how many can't be.",
      content: json(
        {
          type: "object",
          properties: {
            object: { type: "string", const: "delivery_reports", description: "Always delivery_reports." },
            accepted: { type: "integer", description: "Those that say something new." },
            repeated: { type: "integer", description: "Those that were known." },
            ignored: {
              type: "integer",
              description: "Those about mail, recipients or times that can't be.",
            },
          },
          required: ["object", "accepted", "repeated", "ignored"],
          additionalProperties: false,
        },
        { object: "delivery_reports", accepted: 1, repeated: 0, ignored: 0 },
      ),
    },
    ...Object.fromEntries(["400", "401", "404", "408", "413", "415", "429"].map((status) => [status, ERROR])),
  },
});

import type { DocumentedOperation } from "./document.ts";

const ERROR_OR_PAGE = { $ref: "#/components/responses/ErrorOrPage" };
const ERROR = { $ref: "#/components/responses/Error" };
const curl = (source: string) => [{ lang: "Shell", label: "curl", source }];

/** The path of a link to a file. */
export const fileOfLink = (base_url: string): DocumentedOperation => ({
  operationId: "files.get",
  summary: "Gives the one file of a link, as a download.",
  description:
    "Get a file without a key, within 5 minutes of its link. It ends with the key that made it. Nothing in the file can run here: it is always saved, in a sandbox.",
  tags: ["attachments"],
  security: [{}],
  "x-errors": ["file_link_not_found", "message_held", "attachment_not_found", "account_suspended"],
  "x-codeSamples": curl(`curl -OJ "${base_url}/api/v1/files?word=$WORD"`),
  parameters: [
    {
      name: "word",
      in: "query",
      required: true,
      description: "The word of the link, as its `url` has it.",
      schema: { type: "string" },
    },
  ],
  responses: {
    "200": {
      description: "The bytes of the file.",
      content: { "*/*": { schema: { type: "string", format: "binary" } } },
    },
    ...Object.fromEntries(["403", "404", "409", "503"].map((status) => [status, ERROR])),
  },
});

/** The path of a page that shows a mail. */
export const viewOfMail = (base_url: string): DocumentedOperation => ({
  operationId: "views.get",
  summary: "The page that shows a mail, for a browser.",
  description:
    "Show a mail in a frame of your own page, or in a tab, within 5 minutes of its view. It ends with the key or session that made it, that of a mail to approve also when the mail changes. Its policy lets nothing run, load or navigate; a mail without HTML is a page of text.",
  tags: ["messages"],
  security: [{}],
  "x-errors": [
    ...["view_not_found", "message_not_found", "message_held", "account_suspended"],
    ...["approval_changed", "draft_not_found"],
  ],
  "x-codeSamples": curl(`curl "${base_url}/view/$WORD"`),
  parameters: [
    {
      name: "word",
      in: "path",
      required: true,
      description: "The word of the view, as its `url` has it.",
      schema: { type: "string" },
    },
  ],
  responses: {
    "200": {
      description: "The mail as a page.",
      content: { "text/html": { schema: { type: "string" } } },
    },
    ...Object.fromEntries(["403", "404", "409", "503"].map((status) => [status, ERROR_OR_PAGE])),
  },
});

/** What sort of failure a code is; the edge maps it to a status and a type (decisions, section 1). */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "payment"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "gone"
  | "too_large"
  | "unsupported"
  | "rate"
  | "internal"
  | "unavailable";

interface CatalogueEntry {
  kind: ErrorKind;
  message: string;
  fix: string;
}

const entry =
  (kind: ErrorKind) =>
  (message: string, fix: string): CatalogueEntry => ({ kind, message, fix });
const invalid = entry("invalid");
const unauthenticated = entry("unauthenticated");
const forbidden = entry("forbidden");
const notFound = entry("not_found");
const conflict = entry("conflict");
const rate = entry("rate");

/**
 * Every error that Letterslot can answer: its kind, a sentence for people, and what to do next.
 * `/docs#<code>` is printed from it.
 */
export const errorCatalogue = {
  // The request itself
  invalid_request: invalid(
    "The request is not valid.",
    "Compare the named parameter with the documentation of this operation.",
  ),
  invalid_json: invalid(
    "The body is not valid JSON.",
    "Send one JSON object in UTF-8 with Content-Type: application/json.",
  ),
  unknown_parameter: invalid(
    "The operation does not know this parameter here.",
    "Remove it, or move it to where the documentation shows it (path, query or body).",
  ),
  invalid_limit: invalid(
    "The limit is not a whole number in range.",
    "Use a limit from 1 to the maximum of this list.",
  ),
  invalid_cursor: invalid(
    "The cursor does not belong to this list.",
    "Use next_cursor of the last answer with the same filters, or start without one.",
  ),
  cursor_expired: entry("gone")(
    "The events after this cursor are no longer kept.",
    "Read what is kept with GET /api/v1/events without after; move a consumer on by committing a next_cursor from there.",
  ),
  invalid_range: invalid(
    "The range is empty, or longer than 90 days.",
    "Use a from before to, at most 90 days apart.",
  ),
  invalid_wait: invalid(
    "The wait is out of range.",
    "Use whole seconds from 0 to the maximum of this operation.",
  ),
  request_too_large: entry("too_large")("The request body is too large.", "Send at most 35 MB."),
  route_not_found: notFound(
    "There is nothing at this path.",
    "Look the path up at /docs; all operations are under /api/v1.",
  ),
  method_not_allowed: invalid("The path exists, but not with this method.", "Look the method up at /docs."),

  // Who asks
  invalid_api_key: unauthenticated(
    "The API key is missing or unknown.",
    "Send Authorization: Bearer with a live key; POST /api/v1/onboard gives one.",
  ),
  api_key_expired: unauthenticated("The API key has expired.", "Make a new key with one that is still live."),
  api_key_revoked: unauthenticated("The API key was revoked.", "Make a new key with one that is still live."),
  permission_denied: forbidden(
    "The key lacks the permission for this.",
    "Use a key that holds the permission named in param, or one without an inbox scope.",
  ),
  permission_escalation: forbidden(
    "A key can't grant more than it holds.",
    "Ask only for permissions, an inbox and a lifetime within the calling key's own.",
  ),
  invalid_permission: invalid("There is no such permission.", "Use the permission names listed at /docs."),
  invalid_operator_secret: unauthenticated(
    "The operator secret is missing or wrong.",
    "Send the secret that the server was configured with.",
  ),
  onboarding_closed: forbidden("This service takes no new sign-ups.", "Ask its operator for a key."),
  account_unclaimed: forbidden(
    "The account has no verified owner yet, so it can send nothing.",
    "Add an owner with POST /api/v1/inboxes/:id/owners and have the code in the letter confirmed.",
  ),

  // Idempotency
  invalid_idempotency_key: invalid(
    "The Idempotency-Key is empty or not valid.",
    "Use 1 to 256 letters, digits and - . _ ~.",
  ),
  idempotency_key_conflict: conflict(
    "This Idempotency-Key was used for another request.",
    "Use a new key for a new request.",
  ),
  idempotency_request_in_progress: conflict(
    "The first request with this key is still under way.",
    "Try again in a moment with the same key.",
  ),

  // Inboxes
  inbox_not_found: notFound("There is no such inbox.", "List your inboxes with GET /api/v1/inboxes."),
  inbox_paused: forbidden("The inbox is paused.", "Set its status to active with PATCH /api/v1/inboxes/:id."),
  inbox_expired: forbidden(
    "The inbox has expired.",
    "Create a new inbox, or move expires_at while it is still kept.",
  ),
  invalid_username: invalid(
    "The username is not valid.",
    "Use 1 to 64 of a-z 0-9 . _ - that begin and end with a letter or digit.",
  ),
  username_taken: conflict("The username is taken.", "Choose another, or leave it out and get a random one."),
  username_reserved: conflict(
    "The username is reserved.",
    "Choose another, or leave it out and get a random one.",
  ),
  invalid_verdict: invalid("The verdict is not clean or suspicious.", "Use clean or suspicious."),
  invalid_screening: invalid("The screening mode is not off, observe or hold.", "Use off, observe or hold."),
  invalid_metadata: invalid(
    "The metadata is beyond its limits.",
    "Use at most 256 keys of at most 256 characters with strings, numbers or booleans, 16 KB as JSON in all.",
  ),
  invalid_send_mode: invalid("The send mode is not direct or approval.", "Use direct or approval."),
  owner_required: conflict(
    "This needs a verified owner.",
    "Add an owner and have the letter's code confirmed first.",
  ),
  invalid_expiry: invalid(
    "The expiry is not a time ahead.",
    "Use a time in the future, and only one of ttl_hours and expires_at.",
  ),
  domain_not_found: notFound("There is no such domain.", "Leave domain out to use the service's own."),
  missing_change: invalid("There is nothing to change.", "Name at least one field."),

  // Messages
  message_not_found: notFound("There is no such message.", "List the messages of this inbox."),
  message_held: conflict(
    "The message is held by screening.",
    "Release it with POST …/messages/:msgId/release if you trust it.",
  ),
  message_not_screened: conflict("The message was not screened.", "Feedback is for inbound messages."),
  message_not_held: conflict("The message is not held.", "Nothing is left to do: it was delivered."),
  missing_body: invalid("The message has neither text nor html.", "Send text, html or both."),
  invalid_address: invalid(
    "This is not an e-mail address.",
    "Use one plain address such as ada@example.com.",
  ),
  too_many_recipients: invalid("The message has too many recipients.", "Use at most 50 over to, cc and bcc."),
  no_recipients: invalid("The message has nobody to go to.", "Name at least one address in to."),
  message_too_large: entry("too_large")(
    "The message is too large.",
    "Keep it under 25 MB with its attachments.",
  ),
  invalid_header: invalid(
    "A header name or value is not allowed.",
    "Use X-* names, and values without line breaks or NUL.",
  ),
  invalid_attachment: invalid(
    "The attachment is not valid.",
    "Send filename and the bytes as base 64 in content_base64.",
  ),
  thread_not_found: notFound("There is no such thread.", "List the threads of this inbox."),
  missing_labels: invalid("No label was named.", "Name at least one label in add_labels or remove_labels."),
  protected_label: invalid(
    "This label is set by the service alone.",
    "Change only read, unread and labels of your own.",
  ),
  invalid_label: invalid("The label is not valid.", "Use 1 to 64 of a-z 0-9 : _ -."),
  label_conflict: invalid(
    "A label is both added and removed.",
    "Name each label in one list only; read and unread exclude each other.",
  ),
  missing_message_ids: invalid("No message was named.", "Name at least one id in message_ids."),
  duplicate_message_ids: invalid("A message was named twice.", "Name each id once."),
  too_many_ids: invalid("Too many ids were named.", "Name at most 50 ids a call; batch-get takes 100."),
  loop_stopped: conflict(
    "This thread was stopped as a loop of automatic mail.",
    "Wait for a human's message in it, or begin a new thread.",
  ),
  attachment_not_found: notFound(
    "There is no such attachment.",
    "The message's attachments array lists the ids.",
  ),
  attachment_too_large: invalid(
    "The attachment is too large to read its text.",
    "Download it and read it yourself: text is read up to 10 MB, 50 MB inflated, 10,000 rows and 256 columns, and 10 seconds.",
  ),
  text_extraction_failed: invalid(
    "The attachment can't be read.",
    "Download it: it is damaged, encrypted, or not what its type says.",
  ),
  text_extraction_unsupported: entry("unsupported")(
    "The text of this type can't be read.",
    "Download it: text comes of text/*, JSON, CSV, PDF, DOCX, XLSX and XLS.",
  ),
  missing_query: invalid("The search has no words.", "Name at least one word in q."),
  mail_unreadable: invalid("The mail can't be read.", "Send one whole RFC 5322 message."),
  mail_too_complex: invalid("The mail is built too deep or of too many parts.", "Send it with fewer parts."),
  recipient_blocked: forbidden(
    "A list keeps this mail from one of its recipients.",
    "Leave the recipient out, or change the send lists of the account or inbox.",
  ),
  recipient_suppressed: forbidden(
    "One of the recipients is suppressed.",
    "Leave the recipient out; DELETE /api/v1/suppressions/:address if the address works again.",
  ),
  sending_paused: forbidden(
    "Sending is paused: too much of the account's mail bounced or was complained about.",
    "Write only to people who expect it; sending resumes by itself as the rates of the last 7 days fall.",
  ),
  list_entry_not_found: notFound(
    "There is no such entry on this list.",
    "List its entries with GET on the list.",
  ),
  suppression_not_found: notFound(
    "The address is not suppressed.",
    "List the suppressions with GET /api/v1/suppressions.",
  ),
  sender_blocked: forbidden(
    "The sender is blocked.",
    "Change the receive lists if this sender should get through.",
  ),

  // Drafts and approvals
  draft_not_found: notFound(
    "There is no such draft.",
    "List the drafts of this inbox; one that was sent is a message now.",
  ),
  draft_sending: conflict(
    "The draft is being sent.",
    "Wait until it has become a message, or until send_status is failed.",
  ),
  draft_changed: conflict("The draft was changed at this moment.", "Read it and send it again."),
  invalid_send_at: invalid(
    "The time to send at is not ahead, or too far.",
    "Use a time in the next 366 days.",
  ),
  invalid_draft: invalid(
    "The draft lacks what its kind needs.",
    "Name in_reply_to for a reply and forward_of for a forward, and neither otherwise.",
  ),
  approval_required: conflict(
    "In approval mode this takes an owner's word.",
    "Use the operation that asks the owners: DELETE of the inbox, or POST owners.",
  ),
  approval_not_found: notFound(
    "There is no such approval.",
    "List the approvals with GET /api/v1/approvals.",
  ),
  approval_closed: conflict(
    "The approval is decided, cancelled or expired.",
    "Send the draft again to ask anew.",
  ),
  approval_link_invalid: invalid(
    "The link is not right, or it is not for you to decide any more.",
    "Open the link of the newest letter.",
  ),

  // Owners, updates, tasks
  owner_not_found: notFound("There is no such owner.", "List the owners of this inbox."),
  owner_limit: conflict("The inbox has as many owners as it can have.", "Remove one first."),
  owner_style_locked: conflict(
    "The owner chose a style on their own page.",
    "Only the owner can change it now.",
  ),
  confirm_invalid: invalid(
    "The code or link is not right.",
    "Check it against the newest letter, or ask for a new one.",
  ),
  confirm_expired: invalid("The code or link has expired.", "Ask for a new letter."),
  confirm_locked: conflict("Too many wrong codes were tried.", "Ask for a new letter."),
  allowlist_entry_not_found: notFound(
    "There is no such allowlist entry.",
    "List the allowlist of this inbox.",
  ),
  list_full: conflict("The list is full.", "Remove an entry first."),
  invalid_entry: invalid(
    "The entry is neither an address nor a domain.",
    "Use ada@example.com or example.com.",
  ),
  invalid_link: invalid("The link is not https.", "Use https URLs."),
  invalid_question: invalid(
    "The question is not valid.",
    "Ask with kind needs_input: choice takes 2 to 20 options, default must fit the type, and expires_at lies ahead.",
  ),
  invalid_answer: invalid(
    "This is no answer to the question.",
    "Answer with the kind of value that the question asks for.",
  ),
  question_link_invalid: invalid(
    "The link does not lead to a question.",
    "Open it again from the newest letter, or answer the letter by mail.",
  ),
  question_closed: conflict(
    "The question can't be answered here any more.",
    "Answer the letter by mail if there is more to say.",
  ),
  owner_link_invalid: invalid(
    "The link is not valid.",
    "Open it again from the newest letter of this agent.",
  ),
  lifecycle_link_invalid: invalid(
    "The link is not valid.",
    "Set lifecycle_emails to off with PATCH /api/v1/me.",
  ),
  claim_lost: conflict(
    "This worker does not hold the task.",
    "Stop working on it: its lease ran out or it was moved. Claim the next one.",
  ),
  task_not_found: notFound("There is no such task.", "List the tasks with GET /api/v1/tasks."),

  // Webhooks and keys
  webhook_not_found: notFound("There is no such webhook.", "List the webhooks with GET /api/v1/webhooks."),
  webhook_limit: conflict("The account has as many webhooks as it can have.", "Delete one first."),
  too_many_inboxes: invalid("A webhook can name at most 10 inboxes.", "Name fewer, or none for all inboxes."),
  invalid_webhook_url: invalid(
    "The webhook's URL is not allowed.",
    "Use an https URL with a public address.",
  ),
  invalid_webhook_header: invalid(
    "A custom header is not allowed.",
    "Use at most 5 of Authorization or X-*, not the service's own, 1024 characters each.",
  ),
  invalid_event_type: invalid("There is no such event type.", "Use the event types listed at /docs."),
  webhook_disabled: conflict("The webhook is disabled.", "Enable it first with PATCH /api/v1/webhooks/:id."),
  delivery_not_found: notFound(
    "There is no such delivery.",
    "List the deliveries of this webhook; they are kept for 7 days.",
  ),
  consumer_not_found: notFound(
    "There is no such consumer.",
    "List the consumers with GET /api/v1/events/consumers.",
  ),
  consumer_limit: conflict("The account has as many consumers as it can have.", "Delete one first."),
  key_not_found: notFound("There is no such key.", "List the keys with GET /api/v1/keys."),

  // Load and trouble
  rate_limited: rate("Too many requests of this kind.", "Wait as long as retry_after_seconds says."),
  sender_check_unavailable: entry("unavailable")(
    "The sender's domain could not be looked up.",
    "Send the mail again later; DNS should answer by then.",
  ),
  storage_unavailable: entry("unavailable")(
    "The storage can't answer right now.",
    "Try again in a moment; nothing was half done.",
  ),
  internal_error: entry("internal")(
    "Something went wrong inside the service.",
    "Try again; tell the operator the request_id if it stays.",
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** What a failure may say beside its code. */
export interface ErrorDetails {
  /** The parameter at fault. */
  param?: string;
  /** A sentence that fits this case better than the catalogue's. */
  message?: string;
  fix?: string;
  retry_after_seconds?: number;
  cause?: unknown;
}

/** When to ask again for what is unavailable, where nobody knows better. */
const unavailableForSeconds = 1;

/** The one error that operations throw. Callers branch on `code`. */
export class LetterslotError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly param: string | undefined;
  readonly fix: string;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { kind, message, fix } = errorCatalogue[code];
    super(details.message ?? message, { cause: details.cause });
    this.name = "LetterslotError";
    this.code = code;
    this.kind = kind;
    this.param = details.param;
    this.fix = details.fix ?? fix;
    this.retryable =
      kind === "rate" ||
      kind === "unavailable" ||
      kind === "internal" ||
      code === "idempotency_request_in_progress";
    this.retry_after_seconds =
      details.retry_after_seconds ?? (kind === "unavailable" ? unavailableForSeconds : undefined);
  }
}

/** A failure to throw: `throw fail("inbox_paused")`. */
export function fail(code: ErrorCode, details?: ErrorDetails): LetterslotError {
  return new LetterslotError(code, details);
}

/** Whether a word is a code of the catalogue; schemas carry codes as their error text. */
export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(errorCatalogue, word);
}

import { LIMITS, MESSAGE_SIZE, REQUEST_SIZE } from "./limits.ts";

/** The kind of a failure. The server maps it to an HTTP status and an error type. */
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
  | "upstream"
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
 * Every error that Letterslot can return: its kind, a sentence for people, and what to do next.
 * `/docs#<code>` is generated from it.
 */
export const ERROR_CATALOGUE = {
  // The request itself
  invalid_request: invalid(
    "The request is not valid.",
    "Compare the named parameter with the documentation of this operation.",
  ),
  invalid_json: invalid(
    "The body is not valid JSON.",
    "Send one JSON object in UTF-8 with Content-Type: application/json.",
  ),
  unsupported_media_type: entry("unsupported")(
    "This takes JSON, and the body is declared as something else.",
    "Send one JSON object with Content-Type: application/json; with curl add -H 'content-type: application/json'.",
  ),
  unsupported_content_encoding: entry("unsupported")(
    "The body is compressed.",
    "Send it without Content-Encoding.",
  ),
  unknown_parameter: invalid(
    "This operation has no such parameter.",
    "Remove it, or send it where the documentation says (path, query or body).",
  ),
  invalid_limit: invalid(
    "The limit must be a whole number in the allowed range.",
    "Use a limit from 1 to the maximum of this list.",
  ),
  invalid_cursor: invalid(
    "The cursor does not belong to this list.",
    "Use next_cursor from the last response with the same filters, or start without one.",
  ),
  cursor_expired: entry("gone")(
    "The events after this cursor have been deleted.",
    "Read the events that are left with GET /api/v1/events without after; to move a consumer, commit a next_cursor from there.",
  ),
  invalid_range: invalid(
    "The range is empty or longer than 90 days.",
    "Use a from that is before to, at most 90 days apart.",
  ),
  invalid_wait: invalid(
    "The wait is out of range.",
    "Use whole seconds from 0 to the maximum of this operation.",
  ),
  request_too_large: entry("too_large")("The request body is too large.", REQUEST_SIZE),
  request_timeout: invalid(
    "The request body took too long to arrive.",
    "Send it within 30 seconds, plus one second for each 256 KB.",
  ),
  too_many_bytes: rate(
    "Too many bytes of request bodies are in flight.",
    "Wait for retry_after_seconds, and send fewer large requests at the same time.",
  ),
  route_not_found: notFound(
    "There is no such path.",
    "Find the path at /docs; all operations are under /api/v1.",
  ),
  method_not_allowed: invalid("This path does not support this method.", "Find the method at /docs."),

  // Authentication
  invalid_api_key: unauthenticated(
    "The API key is missing or unknown.",
    "Send Authorization: Bearer with a valid key; POST /api/v1/onboard creates one.",
  ),
  api_key_expired: unauthenticated(
    "The API key has expired.",
    "Create a new key with one that is still valid.",
  ),
  api_key_revoked: unauthenticated(
    "The API key was revoked.",
    "Create a new key with one that is still valid.",
  ),
  permission_denied: forbidden(
    "The key does not have permission to do this.",
    "Use a key that has the permission named in param, or one that is not limited to an inbox.",
  ),
  owner_only: forbidden(
    "Only an owner can do this, not an agent.",
    "Use the link in the owner's letter, without an API key.",
  ),
  session_required: unauthenticated(
    "This needs the session of the owner's mailbox.",
    "Sign in with POST /api/v1/owners/session/start and the code from the letter, or open the link in a browser.",
  ),
  session_invalid: invalid(
    "The code or link does not sign in.",
    "Use the newest letter, in the browser that asked for it, or ask for another one.",
  ),
  session_not_found: notFound("There is no such session.", "List them with GET /api/v1/owners/sessions."),
  recovery_invalid: invalid(
    "The link does not recover a key: it has expired or was used, a newer one was mailed, or you have no authority any more.",
    "Use the newest letter within 30 minutes, or ask for another one with POST /api/v1/recover.",
  ),
  recovery_choice_required: invalid(
    "You have authority over more than one account or inbox.",
    "Name one in authority_id: GET /api/v1/recover/confirm lists them.",
  ),
  pairing_invalid: invalid(
    "The code doesn't let an agent in: it is unknown, was used, or has expired.",
    "Ask the person for a new code; each works once, for 10 minutes.",
  ),
  pairing_not_found: notFound(
    "There is no such pairing of yours.",
    "List them with GET /api/v1/owners/pairings.",
  ),
  pairing_limit: conflict(
    "You have five codes open that no agent has used yet.",
    "Use one, end one with DELETE /api/v1/owners/pairings/:id, or wait 10 minutes.",
  ),
  recent_sign_in_required: unauthenticated(
    "This needs a sign-in made within the last 10 minutes.",
    "Sign in again with POST /api/v1/owners/session/start and the code from the letter, then repeat the call.",
  ),
  cross_site_request: forbidden(
    "A sign-in, or a change with a session cookie, must come from this site's own pages.",
    "Send Sec-Fetch-Site: same-origin or an Origin equal to BASE_URL's; a program that is no browser signs in without either, or uses an API key.",
  ),
  origin_not_allowed: forbidden(
    "Pages of this origin may not call this address.",
    "Call from a program, which sends no Origin, or have the operator add the origin to CORS_ORIGINS.",
  ),
  account_required: invalid(
    "You have authority in more than one account.",
    "Name one in the X-Letterslot-Account header: GET /api/v1/owners/session lists them.",
  ),
  account_not_found: notFound(
    "There is no such account, or you have no authority in it.",
    "List yours with GET /api/v1/owners/session.",
  ),
  update_not_found: notFound(
    "There is no such question, or it was not put to you.",
    "Open the link in the letter that asks it.",
  ),
  authority_not_found: notFound(
    "There is no such authority.",
    "List them with GET /api/v1/owners/authority.",
  ),
  authority_required: forbidden(
    "Only a person with authority decides this.",
    "Ask for authority with POST /api/v1/owners/authority, or let one who has it decide.",
  ),
  key_only: forbidden(
    "Only an API key can do this, not an owner.",
    "Call it as the agent, with its API key.",
  ),
  permission_escalation: forbidden(
    "A key can't grant more than it has.",
    "Request only permissions, an inbox and a lifetime that the calling key has itself.",
  ),
  key_generations: conflict(
    "Too many keys stand between this key and the account's first one.",
    "Create the key with one of the keys that this key descends from.",
  ),
  invalid_permission: invalid("There is no such permission.", "Use the permission names listed at /docs."),
  invalid_operator_secret: unauthenticated(
    "The operator secret is missing or wrong.",
    "Send the secret that the server was configured with.",
  ),
  onboarding_closed: forbidden("This service does not accept new sign-ups.", "Ask its operator for a key."),
  account_unclaimed: forbidden(
    "The account has no verified owner yet, so it can't send mail.",
    "Add an owner with POST /api/v1/inboxes/:id/owners and ask them to confirm the code they receive.",
  ),

  // Idempotency
  invalid_idempotency_key: invalid(
    "The Idempotency-Key is empty or not valid.",
    "Use 1 to 256 letters, digits and - . _ ~.",
  ),
  idempotency_not_supported: invalid(
    "This operation does not support an Idempotency-Key.",
    "Leave the header out. Use client_id where the operation has one; what shows a secret once is never repeated.",
  ),
  idempotency_key_conflict: conflict(
    "This Idempotency-Key was already used for a different request.",
    "Use a new key for a new request.",
  ),
  idempotency_request_in_progress: conflict(
    "The first request with this key is still in progress.",
    "Try again in a moment with the same key.",
  ),

  // Inboxes
  inbox_not_found: notFound("There is no such inbox.", "List your inboxes with GET /api/v1/inboxes."),
  inbox_paused: forbidden("The inbox is paused.", "Set its status to active with PATCH /api/v1/inboxes/:id."),
  inbox_expired: forbidden(
    "The inbox has expired.",
    "Create a new inbox, or extend expires_at before the inbox is deleted.",
  ),
  invalid_username: invalid(
    "The username is not valid.",
    "Use 1 to 64 of a-z 0-9 . _ -, starting and ending with a letter or digit, without two dots in a row.",
  ),
  username_taken: conflict("The username is taken.", "Choose another one, or omit it to get a random one."),
  address_is_inbox: conflict(
    "The address is that of an inbox of this service, so it can be no person's.",
    "Use another address of that person, or delete the inbox first.",
  ),
  username_reserved: conflict(
    "The username is reserved.",
    "Choose another one, or omit it to get a random one.",
  ),
  invalid_verdict: invalid("The verdict must be clean or suspicious.", "Use clean or suspicious."),
  invalid_screening: invalid("The screening mode must be off, observe or hold.", "Use off, observe or hold."),
  invalid_metadata: invalid(
    "The metadata is too large.",
    "Use at most 256 keys of up to 256 characters, with strings, numbers or booleans as values, and at most 16 KB of JSON in total.",
  ),
  invalid_send_mode: invalid(
    "The send mode must be direct, guarded or approval.",
    "Use direct, guarded or approval.",
  ),
  invalid_release_by: invalid("Held mail is released by key or by authority.", "Use key or authority."),
  invalid_outbound: invalid(
    "A policy for outgoing mail must be off, observe, approve, block or null.",
    "Use off, observe, approve or block, or null to follow the send mode.",
  ),
  owner_required: conflict(
    "Nobody could decide: the account has neither an account owner nor a first verified owner.",
    "Add an owner and ask them to confirm the code they receive.",
  ),
  invalid_expiry: invalid(
    "The expiry must be in the future.",
    "Use a time in the future, and set only one of ttl_hours and expires_at.",
  ),
  domain_not_found: notFound(
    "There is no such domain.",
    "List the account's with GET /api/v1/domains; an inbox without a domain is at the service's own.",
  ),
  domain_not_verified: conflict(
    "The domain isn't verified.",
    "GET /api/v1/domains/:id says what each of its records lacks; then POST /api/v1/domains/:id/verify.",
  ),
  domain_taken: conflict(
    "Another account has verified this domain.",
    "Delete it there first, or use another domain or a name below it.",
  ),
  domain_in_use: conflict(
    "Inboxes use the domain.",
    "Delete them first, or send delete_inboxes=true to delete them with it.",
  ),
  invalid_domain: invalid(
    "The domain can't be used.",
    "Send a registered domain of yours or a name below it, such as mail.example.com.",
  ),
  missing_change: invalid("There is nothing to change.", "Send at least one field."),

  // Messages
  message_not_found: notFound("There is no such message.", "List the messages of this inbox."),
  not_a_mail: conflict(
    "This message is a text message, a call or a voicemail.",
    "Answer it with POST /api/v1/inboxes/:inbox_id/sms; GET message shows all there is of it.",
  ),
  no_reply_address: conflict(
    "The mail names no address to which a reply could go.",
    "Write to an address that you know with POST …/messages/send; unaddressed shows what the mail has instead.",
  ),
  message_held: conflict(
    "Screening is holding this message.",
    "If you trust it, release it with POST …/messages/:msgId/release.",
  ),
  message_not_screened: conflict("The message was not screened.", "Give feedback on inbound messages only."),
  not_in_trash: conflict(
    "It is not in the trash.",
    "There is nothing to restore: it is where it was. Read it with GET.",
  ),
  message_not_held: conflict("The message is not held.", "There is nothing to do: it was delivered."),
  missing_body: invalid("The message has neither text nor html.", "Send text, html or both."),
  invalid_address: invalid("This is not an e-mail address.", "Use a plain address such as ada@example.com."),
  too_many_recipients: invalid(
    "The message has too many recipients.",
    "Use at most 50 in to, cc and bcc together.",
  ),
  no_recipients: invalid("The message has no recipients.", "Add at least one address to to."),
  message_too_large: entry("too_large")(
    "The message is too large.",
    `${MESSAGE_SIZE} text and html have at most ${LIMITS.body_chars.toLocaleString("en-US")} characters each: send a longer text as an attachment.`,
  ),
  invalid_header: invalid(
    "A header name or value is not allowed.",
    "Use X-* names, and values without line breaks or NUL characters.",
  ),
  invalid_attachment: invalid(
    "The attachment is not valid.",
    "Send exactly one of upload_id, attachment_id, url and content_base64; with content_base64 also a filename.",
  ),
  attachment_url_refused: invalid(
    "No file is attached from this URL.",
    "Fetch the file yourself and attach it as an upload: POST /api/v1/inboxes/:id/uploads.",
  ),
  attachment_fetch_failed: entry("upstream")(
    "The file couldn't be fetched.",
    "See whether its URL answers 200 with the file, without a redirect, within 15 seconds; or attach it as an upload.",
  ),
  too_many_attachments: invalid(
    `A message has at most ${LIMITS.attachments} attachments.`,
    "Send fewer, or several of them in one archive.",
  ),
  invalid_content_type: invalid(
    "The content type of the attachment is malformed.",
    "Send a media type such as text/calendar; method=REQUEST: each parameter once, and its value in quotes unless it is one plain word.",
  ),
  thread_not_found: notFound("There is no such thread.", "List the threads of this inbox."),
  missing_labels: invalid("No labels were given.", "Send at least one label in add_labels or remove_labels."),
  protected_label: invalid(
    "Only the service can set this label.",
    "Change only read, unread and your own labels.",
  ),
  invalid_label: invalid("The label is not valid.", "Use 1 to 64 of a-z 0-9 : _ -."),
  label_conflict: invalid(
    "A label is both added and removed.",
    "Put each label in one list only; read and unread exclude each other.",
  ),
  missing_message_ids: invalid("No messages were given.", "Send at least one id in message_ids."),
  duplicate_message_ids: invalid("A message was given twice.", "Send each id once."),
  too_many_ids: invalid("Too many ids were given.", "Send at most 50 ids per call; batch-get takes 100."),
  loop_stopped: conflict(
    "This thread was stopped because automatic replies were looping.",
    "Wait for a message from a person, or start a new thread.",
  ),
  attachment_not_found: notFound(
    "There is no such attachment.",
    "The message's attachments array lists the ids.",
  ),
  file_link_not_found: notFound(
    "There is no such link to a file, or it has ended.",
    "Get a new one with GET …/attachments/:id/link or …/raw/link: each lasts 5 minutes, and as long as the key that made it.",
  ),
  view_not_found: notFound(
    "There is no such view of a mail, or it has ended.",
    "Open the mail again, or get a new address with POST …/messages/:id/view: each lasts 5 minutes, and as long as the key or session that made it.",
  ),
  remote_images_refused: forbidden(
    "Remote images are shown to a person who is signed in, never to a key or an app: fetching one tells its server that the mail is read.",
    'Ask with images "none", or let a person open the mail.',
  ),
  upload_not_found: notFound(
    "There is no such upload in this inbox, or its time is over.",
    "Create a new one with POST /api/v1/inboxes/:id/uploads, and send its bytes to put_url.",
  ),
  upload_not_ready: conflict(
    "The bytes of this upload haven't arrived yet.",
    "Send them with one PUT to its put_url, then send the mail again.",
  ),
  upload_already_ready: conflict(
    "This upload has its bytes already, and they are others.",
    "Use the upload as it is, or create a new one for the other file.",
  ),
  upload_size_mismatch: invalid(
    "The body hasn't the size that the upload was created with.",
    "Send the whole file again to the same address, or create an upload without size_bytes.",
  ),
  upload_too_large: entry("too_large")("The file is too large.", `${MESSAGE_SIZE} Send less, or a link.`),
  upload_limit: conflict(
    `An inbox has at most ${LIMITS.uploads_per_inbox} open uploads, and an account waits for at most ${LIMITS.waiting_upload_bytes / 1024 ** 3} GB at once; one of no stated size counts as the largest file.`,
    "Send the bytes of those that wait, delete what isn't needed, or say how large each file is.",
  ),
  attachment_too_large: invalid(
    "The attachment is too large for text extraction.",
    "Download the file instead. Text extraction is limited to 10 MB, 50 MB uncompressed, 10,000 rows, 256 columns and 10 seconds.",
  ),
  text_extraction_failed: invalid(
    "The attachment could not be read.",
    "Download the file instead: it is damaged, encrypted, or not of the type it claims.",
  ),
  text_extraction_unsupported: entry("unsupported")(
    "Text can't be extracted from this type of file.",
    "Download the file instead. Text is extracted from text/*, JSON, CSV, PDF, DOCX, XLSX and XLS.",
  ),
  missing_query: invalid("The search has no words.", "Put at least one word in q."),
  invalid_query: invalid(
    "The search can't be used as it is written.",
    `Use at most 32 words and phrases of at most 64 characters a word, ${LIMITS.query_chars.toLocaleString("en-US")} characters in all, and operators such as from:ada or before:2026-11-20.`,
  ),
  mail_unreadable: invalid("The mail can't be parsed.", "Send one complete mail, as RFC 5322 has it."),
  mail_too_complex: invalid(
    "The mail is nested too deeply or has too many parts.",
    "Send it with fewer parts.",
  ),
  recipient_blocked: forbidden(
    "A send list blocks one of the recipients.",
    "Remove the recipient, or change the send lists of the account or inbox.",
  ),
  own_secret: forbidden(
    "It contains a secret of this account: a key, a token, the secret of a webhook or a word of a letter.",
    "Take the secret out. Nobody who asks for it in a mail needs it; tell an owner if somebody does.",
  ),
  outbound_blocked: forbidden(
    "The inbox blocks mail in which this is found.",
    "See `error.reasons` and the message's checks with dry_run; an owner changes the inbox's `outbound` policies.",
  ),
  recipient_suppressed: forbidden(
    "One of the recipients is suppressed.",
    "Remove the recipient, or DELETE /api/v1/suppressions/:address if the address works again.",
  ),
  suppression_locked: forbidden(
    "The suppression isn't the caller's to lift or to make.",
    "It ends when that person writes to the inbox, or texts START; somebody in charge lifts it when they are signed in, or the operator.",
  ),
  recipient_outside_budget: forbidden(
    "One of the recipients is at a domain that the key's budget doesn't allow.",
    "Remove the recipient, or let an account owner change the key's budget.",
  ),
  budget_exceeded: rate(
    "The key's budget allows no more for now.",
    "Wait until resets_at, or let an account owner change the key's budget; GET /api/v1/me shows what is left.",
  ),
  plan_limit_exceeded: entry("payment")(
    "The account's plan allows no more of this.",
    "Free some of the resource or get a larger plan; see upgrade_url, or ask the operator of the service.",
  ),
  missing_say: invalid("The call has nothing to say.", "Send `say`: 1 to 1,000 characters."),
  say_too_long: invalid(
    "What is to be said is longer than 1,000 characters.",
    "Say less, or place a second call.",
  ),
  missing_text: invalid("The text message has no text.", "Send `text`: 1 to 1,600 characters."),
  text_too_long: invalid(
    "The text message is longer than 1,600 characters.",
    "Shorten it, or send several text messages.",
  ),
  invalid_e164: invalid(
    "This is not a valid phone number.",
    "Write it in E.164: a plus sign, the country code and the number, such as +14155550123.",
  ),
  international_not_allowed: invalid(
    "The number is outside the US and Canada.",
    "Call and text numbers of the US and Canada only; US territories and the Caribbean count as international.",
  ),
  premium_rate_blocked: invalid(
    "The number is a premium-rate number.",
    "Use a number at which calls and texts cost no extra.",
  ),
  invalid_area_code: invalid(
    "There is no such area code in the US or Canada.",
    "Send the three digits of an area code, such as 415.",
  ),
  phone_number_exists: conflict(
    "The inbox has a phone number already.",
    "Use it, or give it back first with DELETE /api/v1/inboxes/:inbox_id/phone-number.",
  ),
  phone_number_unavailable: conflict(
    "No such number can be had now.",
    "Choose one of GET /api/v1/phone-numbers/available, or another area code.",
  ),
  phone_number_missing: notFound(
    "The inbox has no phone number.",
    "Get one with POST /api/v1/inboxes/:inbox_id/phone-number.",
  ),
  phone_number_not_found: conflict(
    "The inbox has no active phone number to call or text from.",
    "Get one with POST /api/v1/inboxes/:inbox_id/phone-number.",
  ),
  daily_call_cap: conflict("The account has placed 100 calls today (UTC).", "Call again after midnight UTC."),
  telephony_unavailable: entry("unavailable")(
    "The telephony provider can't be reached.",
    "Nothing was done or charged; try again in a minute.",
  ),
  callback_refused: forbidden(
    "The callback is not signed by the telephony provider for this URL.",
    "Check that BASE_URL is the public URL, and that the provider's auth token is the right one.",
  ),
  account_suspended: forbidden(
    "The account is suspended.",
    "Ask the operator of the service. GET /api/v1/me still works, nothing is deleted, and mail to it is deferred.",
  ),
  account_deleted: forbidden(
    "The account was deleted.",
    "There is no way back: what it held is being erased. Only its addresses are kept, and given to nobody else.",
  ),
  canary_leaked: forbidden(
    "The mail has a canary in it, a word that must never leave; it was stopped.",
    "Don't send it again: somebody may want the agent to pass on what it reads. The owners were told.",
  ),
  already_replied: conflict(
    "The inbox has reply_guard, and this message has a reply already.",
    "Look at that reply first. Set allow_multiple to true to send another one.",
  ),
  passkey_not_found: notFound("You have no such passkey.", "List yours with GET /api/v1/owners/passkeys."),
  passkey_invalid: invalid(
    "The passkey did not sign this, or took too long.",
    "Ask for new options and sign again, with a passkey of this person, on this site.",
  ),
  passkey_required: forbidden(
    "This takes a passkey of yours that counts for decisions.",
    "Sign in with a passkey's device and repeat it; a new passkey counts after 24 hours.",
  ),
  passkey_limit: conflict(
    `You have ${LIMITS.passkeys_per_person} passkeys.`,
    "Remove one that you don't use any more.",
  ),
  passkeys_unavailable: conflict(
    "This server doesn't take passkeys.",
    "Sign in with a code, or ask the operator to install @letterslot/passkeys.",
  ),
  canary_not_found: notFound("There is no such canary in this inbox.", "List the canaries of the inbox."),
  canary_limit: conflict(
    `The inbox has ${LIMITS.canaries_per_inbox} canaries.`,
    "Delete one that is planted nowhere any more.",
  ),
  expectation_not_found: notFound(
    "There is no such expectation in this inbox.",
    "List the expectations of the inbox. They are kept for 30 days after their end.",
  ),
  expectation_limit: conflict(
    `The inbox has ${LIMITS.open_expectations_per_inbox} expectations that wait.`,
    "Cancel one that is not needed any more, or wait until one ends.",
  ),
  own_address_too_long: conflict(
    "The username of the inbox is too long for an address of its own: no more than 52 characters fit.",
    "Use an inbox with a shorter username, or expect the mail without own_address.",
  ),
  thread_claimed: conflict(
    "Another worker holds the thread.",
    "Wait until their lease ends, or send the claim_token of the lease if it is yours.",
  ),
  contact_not_found: notFound(
    "No mail that you may read came from this address or went to it.",
    "List the contacts. Mail is counted a minute or two after it came.",
  ),
  rule_not_found: notFound("There is no such rule in this inbox.", "List the rules of the inbox."),
  invalid_rule: invalid(
    "The rule is not valid.",
    "Compare the named parameter with the conditions and actions in the documentation; a rule has at least one of each.",
  ),
  forwarding_not_found: notFound(
    "There is no such forwarding of this inbox.",
    "List the forwardings of the inbox. Those that ended are kept for 30 days.",
  ),
  forwarding_limit: conflict(
    `The inbox has ${LIMITS.forwardings_per_inbox} addresses that its mail is forwarded to, or that wait to be confirmed.`,
    "Delete one that is not needed any more.",
  ),
  forwarding_exists: conflict(
    "The inbox forwards mail to this address already.",
    "To forward more or less to it, delete the forwarding first; a person decides about the new one.",
  ),
  forwarding_inside: invalid(
    "Mail can't be forwarded to an address of this service.",
    "Name a mailbox elsewhere. Inboxes here can be sent mail with POST /api/v1/inboxes/:inbox_id/messages/send.",
  ),
  forwarding_code_invalid: invalid(
    "The code is wrong.",
    `Compare it with the newest email. After ${LIMITS.forwarding_code_tries} wrong codes only a new email helps.`,
  ),
  rule_limit: conflict(
    `The inbox has ${LIMITS.rules_per_inbox} rules, or its rules look for ${LIMITS.rule_texts_per_inbox} texts.`,
    "Delete a rule that is not needed any more, or put texts of one purpose into one rule.",
  ),
  sending_paused: forbidden(
    "Sending is paused because too much of the account's mail bounced or drew complaints.",
    "Write only to people who expect your mail. Sending resumes on its own once the rates over the last 7 days fall.",
  ),
  list_entry_not_found: notFound(
    "There is no such entry on this list.",
    "List its entries with GET on the list.",
  ),
  suppression_not_found: notFound(
    "The address is not suppressed.",
    "List the suppressions with GET /api/v1/suppressions.",
  ),
  sender_blocked: forbidden("The sender is blocked.", "Change the receive lists to let this sender through."),

  // Drafts and approvals
  draft_not_found: notFound(
    "There is no such draft.",
    "List the drafts of this inbox. A draft that was sent is now a message.",
  ),
  draft_sending: conflict(
    "The draft is being sent.",
    "Wait until it becomes a message or its send_status is failed.",
  ),
  draft_changed: conflict("The draft was changed in the meantime.", "Read it and send it again."),
  invalid_send_at: invalid(
    "The send time must be in the future, but not too far ahead.",
    "Use a time within the next 366 days.",
  ),
  invalid_draft: invalid(
    "A field required by this kind of draft is missing.",
    "Set in_reply_to for a reply, forward_of for a forward, and neither otherwise.",
  ),
  approval_required: conflict(
    "In approval mode, an owner must approve this.",
    "Use the operation that asks the owners: DELETE the inbox, or POST owners.",
  ),
  receipt_not_found: notFound(
    "This approval has no receipt: nobody has decided it here.",
    "Wait for the event approval.decided; what expired or was cancelled has none.",
  ),
  approval_not_found: notFound(
    "There is no such approval.",
    "List the approvals with GET /api/v1/approvals.",
  ),
  approval_changed: conflict(
    "What is to be approved has changed since it was read.",
    "Read it again with GET /api/v1/approvals/:id/content, and send its digest.",
  ),
  approval_closed: conflict(
    "The approval was already decided, was cancelled, or expired.",
    "Send the draft again to ask once more.",
  ),
  approval_limit: conflict(
    "This inbox has as many open requests as people can be asked at once.",
    "Wait until some are decided, or cancel those that are no longer needed.",
  ),
  approval_rejected: conflict(
    "A person rejected this less than 24 hours ago.",
    "Change it as their comment says, or ask again after resets_at.",
  ),
  approval_link_invalid: invalid(
    "The link is wrong, or this is no longer yours to decide.",
    "Open the link in the latest email.",
  ),

  // Owners, updates, tasks
  owner_not_found: notFound("There is no such owner.", "List the owners of this inbox."),
  owner_limit: conflict("The inbox has the maximum number of owners.", "Remove one first."),
  owner_style_locked: conflict(
    "The owner set the style on their own page.",
    "Only the owner can change it now.",
  ),
  confirm_invalid: invalid(
    "The code or link is wrong.",
    "Compare it with the latest email, or request a new one.",
  ),
  confirm_expired: invalid(
    "The code or link has expired.",
    "Invite the owner again with POST /api/v1/inboxes/:inbox_id/owners: that mails a new code and link at once.",
  ),
  confirm_locked: conflict(
    "Too many wrong codes were entered.",
    "Invite the owner again with POST /api/v1/inboxes/:inbox_id/owners: that mails a new code and link at once.",
  ),
  allowlist_entry_not_found: notFound(
    "There is no such allowlist entry.",
    "List the allowlist of this inbox.",
  ),
  list_full: conflict("The list is full.", "Remove an entry first."),
  invalid_entry: invalid(
    "The entry is neither an address nor a domain nor a phone number.",
    "Use ada@example.com, example.com or +14155550123.",
  ),
  invalid_link: invalid("Links must use https.", "Use https URLs."),
  invalid_question: invalid(
    "The question is not valid.",
    "Set kind to needs_input; give choice 2 to 20 options; default must fit the type; expires_at must be in the future.",
  ),
  invalid_answer: invalid(
    "That does not answer the question.",
    "Answer with the type of value that the question asks for.",
  ),
  question_link_invalid: invalid(
    "This link does not lead to a question.",
    "Open it again from the latest email, or reply to that email.",
  ),
  question_closed: conflict(
    "The question can no longer be answered here.",
    "Reply to the email if there is more to say.",
  ),
  owner_link_invalid: invalid("The link is not valid.", "Open it again from this agent's latest email."),
  lifecycle_link_invalid: invalid(
    "The link is not valid.",
    "Set lifecycle_emails to off with PATCH /api/v1/me.",
  ),
  invalid_result: invalid(
    "The result is not JSON, or is too large.",
    "Send any JSON value of at most 16 KB, with objects and arrays at most 64 levels deep.",
  ),
  claim_lost: conflict(
    "This worker no longer holds the task.",
    "Stop working on it: the lease expired or the task was moved. Claim the next one.",
  ),
  task_not_found: notFound("There is no such task.", "List the tasks with GET /api/v1/tasks."),

  // Workspaces
  workspace_not_found: notFound(
    "There is no such workspace.",
    "List the workspaces with GET /api/v1/workspaces.",
  ),
  quota_below_usage: conflict(
    "The workspace has more inboxes than that.",
    "Delete some of its inboxes first, or set a larger inbox_quota.",
  ),
  workspace_not_empty: conflict(
    "The workspace has inboxes.",
    "Delete them first, or with it by DELETE /api/v1/workspaces/:id?delete_inboxes=true.",
  ),

  // Exports
  export_not_found: notFound(
    "There is no such export.",
    "Ask for one with POST /api/v1/account/export. It is kept for 24 hours, for whoever asked for it.",
  ),
  export_not_ready: conflict(
    "The export can't be downloaded.",
    "Ask for it with GET /api/v1/account/export/:id until its status is `ready`; if it is `failed`, ask for a new one.",
  ),

  // Webhooks and keys
  webhook_not_found: notFound("There is no such webhook.", "List the webhooks with GET /api/v1/webhooks."),
  webhook_limit: conflict("The account has the maximum number of webhooks.", "Delete one first."),
  too_many_inboxes: invalid(
    "A webhook can have at most 10 inboxes.",
    "Send fewer, or none to include all inboxes.",
  ),
  invalid_webhook_url: invalid(
    "The webhook URL is not allowed.",
    "Use an https URL that points to a public address.",
  ),
  invalid_webhook_header: invalid(
    "A custom header is not allowed.",
    "Use at most 5 headers of up to 1024 characters: Authorization or X-*, except the service's own.",
  ),
  invalid_event_type: invalid("There is no such event type.", "Use the event types listed at /docs."),
  webhook_disabled: conflict("The webhook is disabled.", "Enable it first with PATCH /api/v1/webhooks/:id."),
  delivery_not_found: notFound(
    "There is no such delivery.",
    "List the deliveries of this webhook. They are kept for 7 days.",
  ),
  consumer_not_found: notFound(
    "There is no such consumer.",
    "List the consumers with GET /api/v1/events/consumers.",
  ),
  consumer_limit: conflict("The account has the maximum number of consumers.", "Delete one first."),
  key_not_found: notFound("There is no such key.", "List the keys with GET /api/v1/keys."),
  grant_not_found: notFound(
    "No app with this client id has access.",
    "List the apps that have access with GET /api/v1/oauth/grants.",
  ),
  too_many_grants: conflict(
    "As many apps have access to this account as it can let in.",
    "End the access of apps that are no longer used with DELETE /api/v1/oauth/grants/:client_id.",
  ),
  authorization_invalid: invalid(
    "The app asked for access in a way that can't be answered.",
    "Go back to the app and start again; if this comes back, tell its makers what it says here.",
  ),
  authorization_expired: invalid(
    "The app's request for access has been answered already, or has expired.",
    "Go back to the app and let it ask again.",
  ),

  // Writing a domain's DNS
  dns_provider_unavailable: invalid(
    "This service can't write DNS records at that provider.",
    "Leave dns out and publish the records yourself, or ask the operator to install @letterslot/adapter-dns.",
  ),
  invalid_dns_credentials: invalid(
    "The credentials for the DNS are not complete.",
    "Send {api_token} for cloudflare; {server, key_name, secret} for rfc2136, the secret in Base64.",
  ),
  invalid_dns_zone: invalid("The zone is not a domain name.", "Send the zone's apex, such as example.com."),
  dns_zone_mismatch: invalid(
    "The domain is not in that zone.",
    "Name the zone that has the domain, such as example.com for mail.example.com, or leave it out.",
  ),
  dns_credentials_refused: forbidden(
    "The DNS provider does not accept the credentials.",
    "Make new ones there, delete the domain, and add it again with them.",
  ),
  dns_permission_missing: forbidden(
    "The credentials may not change the records of this zone.",
    "Give the token the permissions Zone:Read and DNS:Edit, or let the key update the zone.",
  ),
  dns_zone_not_found: notFound(
    "The DNS provider has no such zone that the credentials may see.",
    "Check the zone's name, and that the credentials are of the account or the server that has it.",
  ),
  dns_record_refused: conflict(
    "The DNS provider does not take the record.",
    "Look for a CNAME or another record in its way, or publish the record yourself.",
  ),
  dns_provider_rate_limited: rate(
    "The DNS provider takes no more requests for now.",
    "Nothing needs to be done: the records are written later.",
  ),
  dns_provider_unreachable: entry("unavailable")(
    "The DNS provider does not answer.",
    "Nothing needs to be done: the records are written later. For rfc2136 check the server's name and port.",
  ),

  // Load and failures
  rate_limited: rate("Too many requests of this kind.", "Wait for retry_after_seconds."),
  sender_check_unavailable: entry("unavailable")(
    "The sender's domain could not be looked up.",
    "Send the mail again later, when DNS responds.",
  ),
  recipient_deferred: entry("unavailable")(
    "The account of a recipient takes no mail for now.",
    "Send the same mail again later; recipients who have it already don't get it twice.",
  ),
  storage_unavailable: entry("unavailable")(
    "The storage is unavailable right now.",
    "Try again in a moment. Nothing was partially done.",
  ),
  internal_error: entry("internal")(
    "Something went wrong inside the service.",
    "Try again. If it keeps happening, send the request_id to the operator.",
  ),
} as const satisfies Record<string, CatalogueEntry>;

/** A code in the catalogue. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** The quota that a call ran into, and how much of it is used. */
export interface QuotaDetails {
  /** The limited resource, such as `inboxes` or `monthly_sends`. */
  resource: string;
  limit: number;
  used: number;
  /** The page that offers a larger plan; null if the plan names none. */
  upgrade_url: string | null;
}

/** Details that an error can carry besides its code. */
export interface ErrorDetails {
  /** The parameter at fault. */
  param?: string;
  /** A sentence that fits this case better than the one in the catalogue. */
  message?: string;
  fix?: string;
  retry_after_seconds?: number;
  /** With `plan_limit_exceeded`. */
  quota?: QuotaDetails;
  /** With `budget_exceeded`, `approval_rejected` and limits of texts: the time from which there is room again (ISO 8601, UTC). */
  resets_at?: string;
  /** Why an owner would be asked: with `approval_changed`, what was found in the text as edited. */
  reasons?: readonly Reason[];
  /** With `approval_changed`: the digest that approves the text as edited, with these reasons. */
  digest?: string;
  cause?: unknown;
}

/** A reason to ask an owner, as approvals show it. */
interface Reason {
  code: string;
  detail: string | null;
  sentence: string;
  message_id?: string | undefined;
}

/** The seconds after which to retry an unavailable service, unless the error says otherwise. */
const UNAVAILABLE_RETRY_SECONDS = 1;

/** The one error that operations throw. Callers branch on `code`. */
export class LetterslotError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly param: string | undefined;
  readonly fix: string;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | undefined;
  readonly quota: QuotaDetails | undefined;
  readonly resets_at: string | undefined;
  readonly reasons: readonly Reason[] | undefined;
  readonly digest: string | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { kind, message, fix } = ERROR_CATALOGUE[code];
    super(details.message ?? message, { cause: details.cause });
    this.name = "LetterslotError";
    this.code = code;
    this.kind = kind;
    this.param = details.param;
    this.fix = details.fix ?? fix;
    this.quota = details.quota;
    this.resets_at = details.resets_at;
    this.reasons = details.reasons;
    this.digest = details.digest;
    this.retryable =
      kind === "rate" ||
      kind === "unavailable" ||
      kind === "internal" ||
      code === "idempotency_request_in_progress";
    this.retry_after_seconds =
      details.retry_after_seconds ?? (kind === "unavailable" ? UNAVAILABLE_RETRY_SECONDS : undefined);
  }
}

/** Creates an error to throw: `throw fail("inbox_paused")`. */
export function fail(code: ErrorCode, details?: ErrorDetails): LetterslotError {
  return new LetterslotError(code, details);
}

/** Whether a word is an error code; schemas use codes as their error text. */
export function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, word);
}

/**
 * Every numeric limit of the interface, by name. Sizes are in bytes and times in milliseconds unless the name
 * says otherwise.
 */
export const LIMITS = {
  list_default: 50,
  list_max: 200,
  search_default: 25,
  search_max: 100,
  /** UTF-16 code units in a search query. */
  query_chars: 1_000,

  request_body_bytes: 35 * 1024 * 1024,
  /** The largest body without a key, and of operations that take no attachments. */
  small_body_bytes: 1024 * 1024,
  /** Bytes of bodies that one process receives and works on at once. */
  bodies_in_flight_bytes: 256 * 1024 * 1024,
  /** The part of these bytes that only bodies of at most `json_parsed_at_once_bytes` may take. */
  bodies_in_flight_kept_bytes: 32 * 1024 * 1024,
  /** The same for one key and for one address. */
  bodies_in_flight_bytes_each: 64 * 1024 * 1024,
  /** Larger JSON is scanned before it is parsed, and parsed off the event loop. */
  json_parsed_at_once_bytes: 256 * 1024,
  json_depth: 64,
  /** Keys and array items. */
  json_keys: 100_000,
  /** Keys of one object: far more than any field takes, and few enough to hand over between threads. */
  json_object_keys: 10_000,
  /** A request's headers must arrive within this time, and the next request of a connection begin. */
  headers_ms: 10_000,
  keep_alive_ms: 10_000,
  /** A body may take this long, and a second more for each `body_bytes_per_second` that arrived. */
  body_ms: 30_000,
  body_bytes_per_second: 256 * 1024,
  connections_per_address: 512,
  /** The largest message that is sent, as composed: MIME with its attachments in Base64. */
  message_bytes: 25 * 1024 * 1024,
  /** The same for a forward, so that what was received can be forwarded. */
  forward_bytes: 30 * 1024 * 1024,
  /** The largest message that is received, by any door: a tenth more, for what relays add. */
  raw_mail_bytes: 28_835_840,
  /** UTF-16 code units of a mail's text, and of its HTML. What comes in is cut there, and whole in its raw form. */
  body_chars: 1_000_000,
  recipients: 50,
  batch_update_ids: 50,
  batch_get_ids: 100,
  batch_inboxes: 100,
  list_body_chars: 100_000,
  event_text_chars: 4_000,
  marked_chars_default: 4_000,
  wait_messages: 50,

  idempotency_window_ms: 24 * 3600_000,

  metadata_keys: 256,
  metadata_key_chars: 256,
  metadata_json_bytes: 16 * 1024,
  labels: 50,
  custom_headers: 50,
  custom_header_chars: 1000,
  attachments: 100,
  subject_chars: 998,
  /** A display name beside an address. */
  mailbox_name_chars: 200,
  /** An address with its display name, as a caller writes it. */
  mailbox_chars: 1_000,

  attachment_text_input_bytes: 10 * 1024 * 1024,
  attachment_text_inflated_bytes: 50 * 1024 * 1024,
  attachment_text_ratio: 100,
  attachment_text_rows: 10_000,
  attachment_text_columns: 256,
  attachment_text_ms: 10_000,
  attachment_text_chars: 200_000,

  wait_max_seconds: 55,
  wait_default_seconds: 25,
  task_wait_max_seconds: 25,
  event_wait_max_seconds: 25,
  stream_ms: 25_000,
  stream_comment_ms: 10_000,
  concurrent_waits_per_key: 5,
  /** Streams and polls that one process holds open, besides waits for mail. */
  concurrent_streams_per_key: 25,
  concurrent_streams_per_account: 200,
  concurrent_streams_per_session: 10,
  /** Waits, streams and polls together. */
  concurrent_waits: 10_000,
  code_back_ms: 5 * 60_000,

  owner_code_ms: 30 * 60_000,
  owner_code_tries: 5,
  owner_link_ms: 24 * 3600_000,
  owner_confirmations_per_ip_hour: 5,
  owner_confirmations_per_address_day: 3,
  /** Wrong codes without a key: those of one client address lock it out, those of all lock out everybody. */
  owner_wrong_codes_per_ip: 5,
  owner_wrong_codes: 20,
  owner_public_tries_per_hour: 20,
  owners_per_inbox: 20,
  session_challenge_ms: 15 * 60_000,
  session_code_tries: 5,
  session_wrong_codes_per_address_day: 20,
  session_letters_per_hour: 5,
  session_letters_per_address_day: 30,
  session_idle_ms: 30 * 24 * 3600_000,
  session_longest_ms: 90 * 24 * 3600_000,
  session_seen_ms: 60_000,

  oauth_registrations_per_hour: 20,
  /** Requests for access that one address begins; each is stored until it is answered. */
  oauth_authorizations_per_hour: 200,
  /** Metadata documents that are fetched on behalf of one address. */
  oauth_documents_per_hour: 60,
  oauth_document_bytes: 5 * 1024,
  oauth_document_ms: 5_000,
  /** The query of an authorization request, and the body of the other OAuth requests. */
  oauth_request_bytes: 16 * 1024,
  oauth_client_id_chars: 1_000,
  oauth_client_name_chars: 200,
  oauth_redirect_uris: 20,
  oauth_redirect_uri_chars: 1_000,
  oauth_unused_client_kept_ms: 24 * 3600_000,
  oauth_authorization_ms: 3600_000,
  oauth_code_ms: 60_000,
  oauth_access_token_ms: 3600_000,
  oauth_refresh_token_ms: 30 * 24 * 3600_000,
  /** An old refresh token that comes back this soon is a retry, and ends nothing. */
  oauth_reuse_grace_ms: 10_000,
  oauth_grants_per_account: 500,
  sessions_shown: 100,
  recovery_link_ms: 30 * 60_000,
  /** How old the sign-in may be in which a key is recovered. */
  recovery_sign_in_ms: 10 * 60_000,
  /** For an address and a place together. */
  recovery_letters_per_hour: 3,
  /** For an address over all places where its person never signed in. */
  recovery_letters_per_address_day: 30,
  recovery_keys_shown: 100,
  recovery_apps_shown: 100,
  remembered_browser_ms: 365 * 24 * 3600_000,
  remembered_network_ms: 90 * 24 * 3600_000,
  user_agent_chars: 200,
  email_style_note_chars: 280,
  /** Changes by the links of letters; each is written to the owner. */
  preference_changes_per_owner_hour: 10,

  updates_per_owner_hour: 20,
  updates_per_owner_day: 100,
  update_links: 10,
  update_line_chars: 200,
  update_text_chars: 10_000,
  question_options: 20,
  question_ahead_ms: 366 * 24 * 3600_000,
  answer_chars: 4_000,
  digest_hour_utc: 13,
  digest_updates: 1_000,
  lifecycle_note_ms: 7 * 24 * 3600_000,

  task_lease_default_seconds: 300,
  task_lease_max_seconds: 12 * 3600,
  task_attempts: 5,
  task_result_bytes: 16 * 1024,
  task_result_depth: 64,
  task_reason_chars: 10_000,

  allowlist_entries: 1_000,
  list_entries: 1_000,
  list_reason_chars: 300,

  health_days: 7,
  /** The part of a quota from which on `me` has a notice. */
  usage_notice_share: 0.8,
  sending_days_kept_ms: 90 * 24 * 3600_000,
  health_sends: 50,
  health_bounce_rate: 0.1,
  health_complaint_rate: 0.005,
  health_warning_share: 0.5,

  webhooks_per_account: 50,
  webhook_inboxes: 10,
  webhook_headers: 5,
  webhook_header_chars: 1024,
  /** Shorter ones could be guessed from a signed delivery. */
  webhook_secret_min_chars: 16,
  webhook_disable_at: 20,
  webhook_secret_overlap_ms: 24 * 3600_000,
  webhook_retry_after_max_ms: 3600_000,
  /** How long a signature that was seen is remembered: longer than any order or answer waits. */
  signatures_seen_ms: 90 * 24 * 3600_000,
  deliveries_kept_ms: 7 * 24 * 3600_000,
  consumers_per_account: 100,
  metrics_days: 91,
  metrics_range_ms: 90 * 24 * 3600_000,
  metrics_kept_ms: 91 * 24 * 3600_000,
  usage_counted_to: 10_000_000,
  events_kept_ms: 30 * 24 * 3600_000,

  /** UTF-16 code units of a workspace's name. */
  workspace_name_chars: 64,
  /** Inboxes of one workspace. */
  workspace_inboxes: 10_000,

  /** From the deletion of an account until everything in it is erased. */
  account_erased_ms: 24 * 3600_000,

  signups_per_ip_hour: 30,
  /** A key, the key that created it, and so on. */
  key_generations: 20,
  /** Recipients, and new recipients, of a key's budget. */
  budget_per_day: 1_000_000,
  budget_domains: 100,
  time_zone_chars: 64,
  expired_inbox_kept_ms: 7 * 24 * 3600_000,

  draft_ahead_ms: 366 * 24 * 3600_000,
  approval_ms: 72 * 3600_000,
  approvals_per_inbox_hour: 100,
  approval_comment_chars: 2_000,
  review_body_chars: 1_000_000,
  /** HTML that an owner is asked about, before and after it was cleaned. */
  approved_html_chars: 300_000,

  /** Exports of one account that its keys together, and each person, may ask for. */
  exports_per_day: 2,
  export_kept_ms: 24 * 3600_000,
  /** Exports that are made at once, over all processes. */
  exports_at_once: 2,
  /** How often an export is begun anew before it has failed. */
  export_attempts: 5,
  /** An export is stored in pieces of this size, one of which is in memory at a time. */
  export_part_bytes: 1024 * 1024,
  /** What an account's export may have when it is imported: one record, all files together, and their number. */
  import_line_bytes: 64 * 1024 * 1024,
  import_bytes: 256 * 1024 ** 3,
  import_files: 5_000_000,

  /** What lets us in at whoever has a domain's DNS: a name of DNS, a token, and a key's secret in Base64. */
  dns_name_chars: 253,
  dns_token_chars: 200,
  dns_secret_chars: 400,
  /** A custom domain: the names of its records are up to 64 characters longer, its addresses up to 65. */
  custom_domain_chars: 180,
  /** All look-ups of one check of a domain together. */
  domain_look_up_ms: 20_000,
  /** A verification fails without success in this time. */
  domain_attempt_ms: 72 * 3600_000,
  /** A verified domain is degraded once a required record is gone for so long. */
  domain_degraded_after_ms: 24 * 3600_000,
  /** A domain is its account's no more once the proof of ownership is gone for so long. */
  domain_released_after_ms: 30 * 24 * 3600_000,
  /** How often the records of a verified domain are looked up. */
  domain_check_ms: 24 * 3600_000,
  /** A DKIM key stays in the DNS for so long after the next one signs: mail that it signed may be under way. */
  dkim_kept_ms: 7 * 24 * 3600_000,
  /** Domains that an account may add in an hour, and verifications that it may begin. */
  domains_per_hour: 50,
  verifications_per_hour: 120,
  domain_workspaces: 100,
  /** Mails to postmaster@ and abuse@ of a custom domain that are passed on, and what of each. */
  postmaster_letters_per_hour: 20,
  postmaster_readers: 20,
  postmaster_subject_chars: 200,
  postmaster_text_chars: 10_000,

  /** What is said in a call, a text and a voicemail's greeting: UTF-16 code units. */
  say_chars: 1_000,
  sms_chars: 1_600,
  voicemail_greeting_chars: 500,
  /** Calls of an account in a UTC day. */
  calls_per_day: 100,
  /** A call that could not be placed by then fails. */
  call_placed_within_ms: 30 * 60_000,
  /** A call of which nothing is heard is asked for at the provider after this time. */
  call_settled_after_ms: 4 * 3600_000,
  /** What a recording lasts after a call's words, and of a voicemail. */
  call_recording_seconds: 120,
  voicemail_seconds: 180,
  recording_bytes: 25 * 1024 * 1024,
  transcript_chars: 10_000,
  /** How often the audio of a recording is asked for: with pauses of up to an hour, two days. */
  recording_fetches: 54,
  /** A transcript that came before its recording is added after this time, twice that, and so on. */
  transcript_retry_ms: 15_000,
  transcript_tries: 8,
  /** A callback of the telephony provider. */
  telephony_callback_bytes: 64 * 1024,
  telephony_request_ms: 30_000,
  /** A number in E.164: a plus sign and 15 digits at most. */
  e164_chars: 16,
  available_phone_numbers: 20,
  /** Numbers that an account buys in a day (UTC), and searches of the provider's numbers in a minute. */
  phone_numbers_per_day: 20,
  phone_searches_per_minute: 30,
  /** A purchase that nobody finished by then is looked into. */
  phone_purchase_finished_after_ms: 120_000,

  /** Streams of subscriptions that one process keeps open for a caller of MCP, and the resources of one. */
  mcp_subscriptions_per_key: 10,
  mcp_subscribed_resources: 100,
  /** What the MCP server reads of its standard input at once: a message with attachments, in Base64. */
  mcp_line_bytes: 36 * 1024 * 1024,

  loop_messages_per_hour: 20,

  job_lease_ms: 30_000,
  job_batch: 50,
  send_attempts: 12,
} as const;

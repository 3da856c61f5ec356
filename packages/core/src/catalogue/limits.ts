const MEBIBYTE = 1024 * 1024;

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

  /** Room for the largest message in JSON: Base64 takes a third more. */
  request_body_bytes: 35 * MEBIBYTE,
  /** The largest body without a key, and of operations that take no attachments. */
  small_body_bytes: 1024 * 1024,
  /**
   * The largest call of a tool that writes mail: a text and HTML of `body_chars` with each character escaped. Files come by
   * reference.
   */
  mcp_body_bytes: 12 * MEBIBYTE,
  /** Bytes of bodies that one process receives and works on at once. */
  bodies_in_flight_bytes: 256 * 1024 * 1024,
  /** The part of these bytes that is reserved for bodies of at most `json_parsed_at_once_bytes`. */
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
  /** The time limit for a request's headers to arrive, and for a connection's next request to begin. */
  headers_ms: 10_000,
  keep_alive_ms: 10_000,
  /** The time limit for a body, plus a second for each `body_bytes_per_second` that arrived. */
  body_ms: 30_000,
  body_bytes_per_second: 256 * 1024,
  connections_per_address: 512,
  /** The bodies and attachments of a message, decoded, whether it is sent or received. */
  message_bytes: 25 * MEBIBYTE,
  /** A message as MIME, on any way in or out: room for the largest one in lines of Base64, and for what relays add. */
  raw_mail_bytes: 35 * MEBIBYTE,
  /**
   * UTF-16 code units of a mail's text, and of its HTML. Incoming bodies are cut there, but whole in their raw form.
   */
  body_chars: 1_000_000,
  recipients: 50,
  batch_update_ids: 50,
  batch_get_ids: 100,
  /** Expectations of an inbox that wait, and what each may say. */
  open_expectations_per_inbox: 100,
  expectation_min_seconds: 30,
  expectation_max_seconds: 30 * 24 * 3600,
  expectation_default_seconds: 900,
  expectation_subject_chars: 320,
  expectation_near_misses: 20,
  /**
   * Mail is counted for contacts when it is this old: how far the clocks of processes may differ, with the time that a
   * transaction takes, before a mail might be passed over.
   */
  contacts_behind_ms: 60_000,
  contact_address_chars: 320,
  contact_name_chars: 100,
  contact_names: 5,
  contact_query_chars: 100,
  /** The contacts that are looked through for one page of a search. */
  contacts_searched: 2_000,
  /** The inboxes whose counts of one address are added up. */
  contact_inboxes: 10_000,
  /** The time after its end for which an expectation stays readable. */
  expectations_kept_ms: 30 * 24 * 3600_000,
  /** Rules of an inbox, what each may say, and the texts that all of them look for. */
  rules_per_inbox: 50,
  rule_name_chars: 80,
  rule_parties: 20,
  rule_texts: 10,
  rule_text_chars: 200,
  rule_texts_per_inbox: 100,
  rule_body_chars: 100_000,
  rule_labels: 20,
  rule_test_messages: 1_000,
  /** What a person writes to an agent in a session, and how often in an hour to one inbox. */
  owner_message_chars: 20_000,
  owner_message_subject_chars: 78,
  owner_messages_per_hour: 120,
  /** Addresses that mail of an inbox is forwarded to, or that wait to be; and the letters with their codes. */
  forwardings_per_inbox: 5,
  forwarding_letters_per_ip_hour: 5,
  forwarding_letters_per_address_day: 3,
  forwarding_code_tries: 5,
  /** The time in which a forwarding is confirmed and decided, or ends. */
  forwarding_pending_ms: 72 * 3600_000,
  /** Mail to the address that came back for good, after which the forwarding ends. */
  forwarding_hard_bounces: 3,
  /** The time for which a forwarding that ended stays readable. */
  failed_forwardings_kept_ms: 30 * 24 * 3600_000,
  /** The time for which it is known that a mail was forwarded: much longer than its job may take. */
  forwarded_kept_ms: 30 * 24 * 3600_000,
  /** Services that a forwarded mail may name in its marks, ours among them: with more it has gone round. */
  forwarding_hops: 5,
  auto_reply_chars: 2_000,
  auto_reply_default_hours: 24,
  auto_reply_max_hours: 720,
  assignee_chars: 64,
  assignment_note_chars: 500,
  lease_min_seconds: 30,
  lease_max_seconds: 86_400,
  lease_default_seconds: 300,
  canaries_per_inbox: 20,
  /** A person's passkeys. */
  passkeys_per_person: 10,
  passkey_name_chars: 80,
  /** A part of what a browser sends of a passkey, and all of it in a header. */
  passkey_part_chars: 10_000,
  passkey_header_chars: 8_000,
  /** What a passkey is asked to sign is good for so long. */
  passkey_challenge_ms: 5 * 60_000,
  /** A new passkey that no older one confirmed counts for decisions after this. */
  passkey_waits_ms: 24 * 3600_000,
  /** How often an address may begin to sign in with a passkey in an hour. */
  passkey_options_per_hour: 100,
  canary_name_chars: 80,
  /** The time for which a deleted inbox can be restored. */
  trashed_inbox_kept_ms: 7 * 24 * 3600_000,
  /** Trash that is kept even when the plan's storage is full. */
  trash_kept_ms: 7 * 24 * 3600_000,
  /** Threads that one call moves to a folder. */
  moved_threads: 100,
  batch_inboxes: 100,
  list_body_chars: 100_000,
  event_text_chars: 4_000,
  marked_chars_default: 4_000,
  /** Attached mails whose words the marked view of a mail has, in all, and their bytes together. */
  marked_attached_mails: 10,
  marked_attached_bytes: 5 * 1024 * 1024,
  wait_messages: 50,

  idempotency_window_ms: 24 * 3600_000,

  metadata_keys: 256,
  metadata_key_chars: 256,
  metadata_json_bytes: 16 * 1024,
  labels: 50,
  custom_headers: 50,
  custom_header_chars: 1000,
  attachments: 50,
  /** The time within which the bytes of an upload are sent. */
  upload_put_ms: 15 * 60_000,
  /** How long a PUT that began in time may take, at most. */
  upload_put_end_ms: 5 * 60_000,
  /** The length of a URL that a file is attached from, and the time for all such files of one mail. */
  attachment_url_chars: 2_048,
  attachment_fetch_ms: 15_000,
  /** The mails of a root account that have files fetched at the same time. */
  attachment_fetches_at_once: 5,
  /** How long an upload is kept that no mail uses. */
  upload_kept_ms: 24 * 3600_000,
  uploads_per_inbox: 100,
  file_link_ms: 5 * 60_000,
  /** How long the address of a mail's view works, and the pictures in one view: their number, and the bytes of each and of all. */
  view_ms: 5 * 60_000,
  view_pictures: 50,
  view_picture_bytes: 5 * MEBIBYTE,
  view_pictures_bytes: 20 * MEBIBYTE,
  /** The remote pictures of a view: the length of a URL, the time for all of them, and how many are fetched at once. */
  view_picture_url_chars: 4_096,
  view_pictures_ms: 10_000,
  view_pictures_at_once: 6,
  /** Views with remote pictures that a person opens in a minute. */
  views_with_pictures_per_minute: 20,
  /** The bytes of remote pictures that are stored for an account and its workspaces in an hour: no plan counts them. */
  view_bytes_per_hour: 500 * MEBIBYTE,
  /** The declared bytes, and the number, of the uploads that an account without a plan waits for. */
  waiting_upload_bytes: 1024 * MEBIBYTE,
  waiting_uploads: 1_000,
  /** PUTs of uploads that one process takes at once, and those of one address among them. */
  upload_puts_at_once: 50,
  upload_puts_at_once_each: 25,
  subject_chars: 998,
  /** A display name beside an address. */
  mailbox_name_chars: 200,
  /** An address with its display name, as a caller writes it. */
  mailbox_chars: 1_000,

  /** What the content of a mail is scanned for secrets and personal data within: time, parts, their text, and findings. */
  content_scan_ms: 1_000,
  content_scan_parts: 100,
  content_scan_part_chars: 1_000_000,
  content_scan_chars: 2_000_000,
  content_scan_findings: 100,

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
  /** The interval at which an idle wait or stream re-checks its caller's right. */
  rights_checked_ms: 900,
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
  /** Wrong codes without a key: those of one client address lock it out, those of all addresses lock out everybody. */
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
  /** The time within which the reuse of an old refresh token is a retry, and ends nothing. */
  oauth_reuse_grace_ms: 10_000,
  oauth_grants_per_account: 500,
  sessions_shown: 100,
  recovery_link_ms: 30 * 60_000,
  /** The maximum age of the sign-in that recovers a key or moves the first address of an account. */
  recent_sign_in_ms: 10 * 60_000,
  /** For an address and a place together. */
  recovery_letters_per_hour: 3,
  /** For an address over all places where its person never signed in. */
  recovery_letters_per_address_day: 30,
  recovery_keys_shown: 100,
  recovery_apps_shown: 100,
  /** How long a code lets an agent in, and the window in which wrong ones are counted. */
  pairing_code_ms: 10 * 60_000,
  /** The maximum age of the sign-in that makes a code. */
  pairing_sign_in_ms: 24 * 3600_000,
  /** The time for which a person sees what became of a code, and can undo it here. */
  pairing_kept_ms: 30 * 24 * 3600_000,
  open_pairings: 5,
  pairings_per_person_day: 50,
  pairing_wrong_codes_per_ip: 5,
  client_name_chars: 200,
  /** Refused calls that wait to be written; more are dropped, and counted. */
  refusals_waiting: 1_000,
  refusals_written_ms: 1_000,
  refusals_kept_ms: 7 * 24 * 3600_000,
  /** What an overview shows of each kind, how far back it looks, and how far it counts. */
  overview_items: 20,
  overview_agents: 50,
  overview_held_ms: 30 * 24 * 3600_000,
  overview_failed_ms: 7 * 24 * 3600_000,
  overview_refused_ms: 24 * 3600_000,
  overview_refusals: 10,
  /** Refusals of one caller with one operation and error within a day, from which on they are shown. */
  overview_refusals_from: 10,
  overview_refusals_read: 1_000,
  overview_threads_read: 200,
  overview_counted_to: 1_000,
  /** Reports of a relay in one call, what each quotes, and the time for which the ids of its mail are known. */
  relay_reports: 1_000,
  relay_detail_chars: 2_000,
  relay_ids_kept_ms: 90 * 24 * 3600_000,
  remembered_browser_ms: 365 * 24 * 3600_000,
  remembered_network_ms: 90 * 24 * 3600_000,
  user_agent_chars: 200,
  email_style_note_chars: 280,
  /** Changes through letters' links; the owner is told of each. */
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
  /** The oldest pending tasks among which a claim looks for one whose thread nobody holds. */
  tasks_looked_at: 1_000,
  task_lease_max_seconds: 12 * 3600,
  task_attempts: 5,
  task_result_bytes: 16 * 1024,
  task_result_depth: 64,
  task_reason_chars: 10_000,

  allowlist_entries: 1_000,
  list_entries: 1_000,
  list_reason_chars: 300,

  health_days: 7,
  /** The share of a quota from which on `me` has a notice. */
  usage_notice_share: 0.8,
  sending_days_kept_ms: 90 * 24 * 3600_000,
  health_sends: 50,
  health_bounce_rate: 0.1,
  health_complaint_rate: 0.005,
  health_warning_share: 0.5,
  /** Proven reports, and organisations that they come from, without which no rate pauses sending. */
  health_hard_bounces: 5,
  health_complaints: 3,
  health_organisations: 2,
  /** Domains whose mail hosts are looked up for one report. */
  reported_domains: 10,
  /** Return paths of the earlier form are still read for this long after the upgrade. */
  earlier_return_paths_ms: 7 * 24 * 3600_000,
  /** Hard bounces after which an owner counts as unreachable, and the interval at which they then get a digest. */
  unreachable_bounces: 3,
  unreachable_digest_days: 7,
  /** The interval at which a key may lift the suppression of one address after a bounce. */
  suppression_lift_ms: 30 * 24 * 3600_000,

  webhooks_per_account: 50,
  webhook_inboxes: 10,
  webhook_headers: 5,
  webhook_header_chars: 1024,
  /** Shorter ones could be guessed from a signed delivery. */
  webhook_secret_min_chars: 16,
  webhook_disable_at: 20,
  webhook_secret_overlap_ms: 24 * 3600_000,
  webhook_retry_after_max_ms: 3600_000,
  /** Seen signatures are remembered this long: longer than any order or answer waits. */
  signatures_seen_ms: 90 * 24 * 3600_000,
  /** A letter that comes back is recognised for this long. */
  letters_kept_ms: 90 * 24 * 3600_000,
  /** The time limit for opening the files of one mail to search them for a code. */
  letter_search_ms: 2_000,
  /** Files of one mail that are opened for this search. */
  letter_search_files: 20,
  /** Mails of one network whose files are searched at a time. */
  letter_searches_per_network: 4,
  /**
   * Different numbers that are tried as codes in a mail not proven to contain a letter; with more, none voids a code.
   */
  letter_guesses: 20,
  /** Codes of one address that such mail may void in an hour; after that, no more on that day. */
  letter_voids_per_hour: 3,
  deliveries_kept_ms: 7 * 24 * 3600_000,
  consumers_per_account: 100,
  metrics_days: 91,
  metrics_range_ms: 90 * 24 * 3600_000,
  metrics_kept_ms: 91 * 24 * 3600_000,
  usage_counted_to: 10_000_000,
  events_kept_ms: 30 * 24 * 3600_000,
  /** How long what a stranger named speaks against writing to it. */
  outside_mentions_kept_ms: 30 * 24 * 3600_000,
  /** Addresses, numbers and domains of one mail that are noted. */
  outside_mentions_per_mail: 2_000,
  /** Files of one mail that are opened before it leaves, and the newest that came in, and the time for it. */
  outbound_files: 20,
  outbound_files_ms: 2_000,
  /** Tries of sending by one caller in a minute. */
  dry_runs_per_minute: 60,
  /** How long a code of one mail must not go out in another. */
  code_elsewhere_ms: 24 * 3600_000,
  /** Since when mail must have left to an address that counts as known. */
  recipient_known_ms: 7 * 24 * 3600_000,

  /** UTF-16 code units of a workspace's name. */
  workspace_name_chars: 64,
  /** Inboxes of one workspace. */
  workspace_inboxes: 10_000,

  /** The time from an account's deletion until everything in it is erased. */
  account_erased_ms: 24 * 3600_000,

  signups_per_ip_hour: 30,
  /** The generations of keys: a key, the key that created it, and so on. */
  key_generations: 20,
  /** Recipients, and new recipients, of a key's budget. */
  budget_per_day: 1_000_000,
  budget_domains: 100,
  time_zone_chars: 64,
  expired_inbox_kept_ms: 7 * 24 * 3600_000,

  draft_ahead_ms: 366 * 24 * 3600_000,
  approval_ms: 72 * 3600_000,
  approvals_per_inbox_hour: 100,
  /** Requests of one inbox that are open at once. */
  open_approvals_per_inbox: 100,
  /** How long what a person rejected isn't asked again. */
  approval_rejected_ms: 24 * 3600_000,
  /** Letters with one request each that a person gets in `approval_letters_ms`; further requests come in one letter. */
  approval_letters: 3,
  approval_letters_ms: 15 * 60_000,
  /** Requests that such a letter lists. */
  approvals_listed: 20,
  approval_comment_chars: 2_000,
  /** The reasons of one approval, and the length of each one's detail. */
  approval_reasons: 50,
  approval_reason_chars: 500,
  release_reason_chars: 500,
  /** The versions of a mail that its decider is shown. */
  approval_versions_shown: 20,
  /** The length of the versions that are compared for it, together, and of one part as it was and as it is. */
  approval_versions_chars: 2_000_000,
  approval_change_chars: 20_000,
  review_body_chars: 1_000_000,
  /** The length of HTML that an owner is asked to approve, before and after cleaning. */
  approved_html_chars: 300_000,

  /** Exports of one account that its keys together, and each person, may request. */
  exports_per_day: 2,
  export_kept_ms: 24 * 3600_000,
  /** Exports that run at once, over all processes. */
  exports_at_once: 2,
  /** Attempts at an export before it has failed. */
  export_attempts: 5,
  /** An export is stored in pieces of this size, one of which is in memory at a time. */
  export_part_bytes: 1024 * 1024,
  /** The limits of an imported account's export: one record, all files together, and their number. */
  import_line_bytes: 64 * 1024 * 1024,
  import_bytes: 256 * 1024 ** 3,
  import_files: 5_000_000,

  /** The credentials for a domain's DNS provider: a DNS name, a token, and a key's secret in Base64. */
  dns_name_chars: 253,
  dns_token_chars: 200,
  dns_secret_chars: 400,
  /** A custom domain: the names of its records are up to 64 characters longer, its addresses up to 65. */
  custom_domain_chars: 180,
  /** The time limit for all look-ups of one check of a domain together. */
  domain_look_up_ms: 20_000,
  /** The time after which a verification without success fails. */
  domain_attempt_ms: 72 * 3600_000,
  /** The time after which a verified domain with a missing required record is degraded. */
  domain_degraded_after_ms: 24 * 3600_000,
  /** The time after which an account loses a domain whose proof of ownership is gone. */
  domain_released_after_ms: 30 * 24 * 3600_000,
  /** The time for which addresses at a deleted domain are withheld from other accounts that prove it. */
  deleted_domain_held_ms: 30 * 24 * 3600_000,
  /** The interval at which the records of a verified domain are looked up. */
  domain_check_ms: 24 * 3600_000,
  /** The notice that people who have a say at a domain get before its mail may be delivered here. */
  domain_receiving_notice_ms: 72 * 3600_000,
  /** The same if another account would lose everyone in charge of it. */
  domain_last_authority_notice_ms: 14 * 24 * 3600_000,
  /** The most people at a domain whom one check notifies; the next check notifies others. */
  domain_told_per_check: 200,
  /** The time for which a DKIM key stays in the DNS after the next one signs: mail that it signed may be in transit. */
  dkim_kept_ms: 7 * 24 * 3600_000,
  /** Domains that an account may add in an hour, and verifications that it may begin. */
  domains_per_hour: 50,
  /** The limits of an account with its workspaces where the service has no plans. */
  domains_without_plan: 20,
  workspaces_without_plan: 50,
  verifications_per_hour: 120,
  domain_workspaces: 100,
  /**
   * Reports about a domain: a file unpacked, files of a mail, files read of one organisation an hour, sources of a report. How many
   * a day are kept: of one organisation; the first of each, for so many of them; and further ones of all.
   */
  domain_report_bytes: 5 * MEBIBYTE,
  domain_report_files: 3,
  domain_report_files_per_hour: 600,
  domain_report_sources: 500,
  domain_reports_per_reporter_day: 10,
  domain_reporters_per_day: 100,
  domain_reports_per_day: 100,
  domain_reports_kept_ms: 90 * 24 * 3600_000,
  /** Mails to postmaster@ and abuse@ of a custom domain that are passed on, and the limits of each. */
  postmaster_letters_per_hour: 20,
  postmaster_readers: 20,
  /** Mails to them at the service's own domain that the operator gets, and the bytes kept of each. */
  operator_mails_per_hour: 60,
  operator_mail_bytes: 1024 * 1024,
  postmaster_subject_chars: 200,
  postmaster_text_chars: 10_000,

  /** The length of the words of a call, a text and a voicemail's greeting: UTF-16 code units. */
  say_chars: 1_000,
  sms_chars: 1_600,
  voicemail_greeting_chars: 500,
  /** Calls of an account in a UTC day. */
  calls_per_day: 100,
  /** Texts of an account with its workspaces, where the service has no plans. */
  texts_per_day: 250,
  texts_per_minute: 10,
  /** The time after which a call that could not be placed fails. */
  call_placed_within_ms: 30 * 60_000,
  /** The time after which the provider is asked about a call without news. */
  call_settled_after_ms: 4 * 3600_000,
  /** The length of a recording after a call's words, and of a voicemail. */
  call_recording_seconds: 120,
  voicemail_seconds: 180,
  recording_bytes: 25 * 1024 * 1024,
  transcript_chars: 10_000,
  /** Attempts at fetching the audio of a recording: with pauses of up to an hour, they take two days. */
  recording_fetches: 54,
  /** The delay before a transcript that preceded its recording is added; it doubles with each retry. */
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
  /** The time after which an unfinished purchase is checked. */
  phone_purchase_finished_after_ms: 120_000,

  /** Streams of subscriptions that one process keeps open for a caller of MCP, and the resources of one. */
  mcp_subscriptions_per_key: 10,
  mcp_subscribed_resources: 100,
  /** The largest input line of the MCP server: a message with attachments, in Base64. */
  mcp_line_bytes: 36 * 1024 * 1024,

  loop_messages_per_hour: 20,
  /** Within this time of our own mail, an answer whose subject says so is an automatic reply. */
  automatic_reply_ms: 10 * 60_000,

  job_lease_ms: 30_000,
  job_batch: 50,
  send_attempts: 12,
  /** How long a job that fails is tried before it is given up: mail, what erases data, and everything else. */
  mail_last_try_ms: 48 * 3600_000,
  erasing_last_try_ms: 30 * 24 * 3600_000,
  job_last_try_ms: 7 * 24 * 3600_000,
} as const;

/** Formats a size for people: `25 MB (26,214,400 bytes)`. */
const sizeWords = (bytes: number): string =>
  `${bytes / MEBIBYTE} MB (${bytes.toLocaleString("en-US")} bytes)`;

/** How large a message may be, in the words of errors, fields and pages. */
export const MESSAGE_SIZE = `A message has at most ${sizeWords(LIMITS.message_bytes)} of bodies and attachments together, decoded.`;

/** How large a request may be. */
export const REQUEST_SIZE = `A request body has at most ${sizeWords(LIMITS.request_body_bytes)}, and ${sizeWords(LIMITS.small_body_bytes)} where no attachments are taken or no key is sent.`;

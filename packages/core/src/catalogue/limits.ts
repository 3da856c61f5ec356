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
  message_bytes: 25 * 1024 * 1024,
  /** The largest message in transit: Base64 adds a third. The same for SMTP and HTTP. */
  raw_mail_bytes: 35 * 1024 * 1024,
  recipients: 50,
  batch_update_ids: 50,
  batch_get_ids: 100,
  batch_inboxes: 100,
  list_body_chars: 100_000,
  event_text_chars: 4_000,
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
  code_back_ms: 5 * 60_000,

  owner_code_ms: 30 * 60_000,
  owner_code_tries: 5,
  owner_link_ms: 24 * 3600_000,
  owner_confirmations_per_ip_hour: 5,
  owner_confirmations_per_address_day: 3,
  owner_public_tries_per_hour: 20,
  owners_per_inbox: 20,
  email_style_note_chars: 280,

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
  task_result_chars: 10_000,

  allowlist_entries: 1_000,
  list_entries: 1_000,
  list_reason_chars: 300,

  health_days: 7,
  sending_days_kept_ms: 90 * 24 * 3600_000,
  health_sends: 50,
  health_bounce_rate: 0.1,
  health_complaint_rate: 0.005,
  health_warning_share: 0.5,

  webhooks_per_account: 50,
  webhook_inboxes: 10,
  webhook_headers: 5,
  webhook_header_chars: 1024,
  webhook_disable_at: 20,
  webhook_secret_overlap_ms: 24 * 3600_000,
  webhook_retry_after_max_ms: 3600_000,
  deliveries_kept_ms: 7 * 24 * 3600_000,
  consumers_per_account: 100,
  metrics_days: 91,
  metrics_range_ms: 90 * 24 * 3600_000,
  metrics_kept_ms: 91 * 24 * 3600_000,
  usage_counted_to: 10_000_000,
  events_kept_ms: 30 * 24 * 3600_000,

  signups_per_ip_hour: 30,
  expired_inbox_kept_ms: 7 * 24 * 3600_000,

  draft_ahead_ms: 366 * 24 * 3600_000,
  approval_ms: 72 * 3600_000,
  approvals_per_inbox_hour: 100,
  approval_comment_chars: 2_000,
  review_body_chars: 1_000_000,

  loop_messages_per_hour: 20,

  job_lease_ms: 30_000,
  job_batch: 50,
  send_attempts: 12,
} as const;

const sent = (id: string, day: string, to: string[], cc: string[] = [], bcc: string[] = []) => ({
  id,
  account_id: "acct_1",
  inbox_id: "inb_1",
  thread_id: "thr_1",
  direction: "outbound",
  dedupe_key: id,
  created_at: `2026-01-${day}T00:00:00.000Z`,
  to: JSON.stringify(to),
  cc: JSON.stringify(cc),
  bcc: JSON.stringify(bcc),
  labels: '["sent"]',
});

/** Messages as an older version stored them, sent by an account and received. */
export const WRITTEN = [
  sent("msg_1", "02", ["Ada@example.com"], ["bo@example.com"], ["cy@example.com"]),
  sent("msg_2", "01", ["ada@example.com"]),
  { ...sent("msg_3", "01", ["agent@example.com"]), direction: "inbound", labels: '["received"]' },
  { ...sent("msg_4", "01", ["owner@example.com"]), labels: '["sent","owner"]' },
  { ...sent("msg_5", "01", ["other@example.com"]), account_id: "acct_2" },
];

const known = (address: string, day: string) => ({
  account_id: "acct_1",
  address,
  first_at: `2026-01-${day}T00:00:00.000Z`,
  ...{ left_at: null, approved_at: null, inbox_id: null },
});

/** The recipients that the account has written to, according to these rows. */
export const KNOWN = [
  known("ada@example.com", "01"),
  known("bo@example.com", "02"),
  known("cy@example.com", "02"),
];

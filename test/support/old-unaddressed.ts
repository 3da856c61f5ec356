const common = {
  ...{ account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1", channel: "email", direction: "inbound" },
  ...{ labels: "[]", references: "[]", attachments: "[]", delivery_events: "[]", bcc: "[]" },
};

/** Messages as they were stored when entries without an address were empty strings. */
export const OLD_MESSAGES = [
  {
    ...{ ...common, id: "msg_1", dedupe_key: "1", from: "", from_name: "The Office", reply_to: "" },
    ...{ to: '["","a@b.c",""]', cc: '[""]' },
  },
  {
    ...{ ...common, id: "msg_2", dedupe_key: "2", from: "a@b.c", from_name: "Ada", reply_to: "x@b.c" },
    ...{ to: '["\\"\\"@b.c"]', cc: "[]" },
  },
];

/** The same messages with entries without an address reported as such. */
export const NEW_MESSAGES = [
  {
    ...{ id: "msg_1", from: "", reply_to: null, to: ["a@b.c"], cc: [] as string[] },
    unaddressed: [
      { field: "from", name: "The Office" },
      { field: "reply_to", name: "" },
      { field: "to", name: "" },
      { field: "to", name: "" },
      { field: "cc", name: "" },
    ],
  },
  { id: "msg_2", from: "a@b.c", to: ['""@b.c'], cc: [] as string[], unaddressed: [] },
];

/** The participants of their thread then. */
export const OLD_PARTICIPANTS = '[{"address":"","name":"The Office"},{"address":"a@b.c","name":""}]';

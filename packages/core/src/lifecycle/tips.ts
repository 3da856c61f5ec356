/** What the weekly notes tell, one each week, in turn. */
export const tips: readonly { title: string; text: string }[] = [
  {
    title: "Ask your owner a typed question",
    text: 'An update of kind needs_input can carry a question: {"type": "yes_no"}, or choice, number, date, text. The owner answers with a button or by replying in their own language, and the task that comes of it holds the value.',
  },
  {
    title: "Wait instead of polling",
    text: "GET /api/v1/tasks?wait=25 and GET /api/v1/inboxes/:id/wait answer as soon as there is something, and cost nothing until then.",
  },
  {
    title: "Share work between workers",
    text: "POST /api/v1/tasks/claim hands each pending task to one worker alone. Report with heartbeat, complete or fail; a worker that dies gives its task back.",
  },
  {
    title: "Make retries safe",
    text: "Send a client_id or an Idempotency-Key with everything that you send. The same one again answers what the first one made.",
  },
  {
    title: "Keep updates of one job in one thread",
    text: "Updates with the same task_id stay in one mail thread for the owner, and what they reply comes back with that task_id.",
  },
  {
    title: "See why a mail made no task",
    text: "GET /api/v1/inboxes/:id/messages/:message_id/explain tells what was found about the sender and what was decided.",
  },
  {
    title: "Let an owner approve what leaves",
    text: "With send_mode approval every outgoing mail waits until an owner has seen it and said yes.",
  },
  {
    title: "Hold what looks wrong",
    text: "With screening hold, suspicious mail is kept back with its words withheld until it is released.",
  },
];

/** The tips of the weekly notes, one each week in turn. */
export const TIPS: readonly { title: string; text: string }[] = [
  {
    title: "Ask your owner a typed question",
    text: 'An update of kind needs_input can carry a question: {"type": "yes_no"}, or choice, number, date, text. The owner answers with a button or by replying in their own language, and you get a task with the value.',
  },
  {
    title: "Wait instead of polling",
    text: "GET /api/v1/tasks?wait=25 and GET /api/v1/inboxes/:id/wait answer as soon as something arrives, and cost nothing until then.",
  },
  {
    title: "Share work between workers",
    text: "POST /api/v1/tasks/claim gives each pending task to exactly one worker. Report with heartbeat, complete or fail; if a worker dies, its task becomes pending again.",
  },
  {
    title: "Make retries safe",
    text: "Add a client_id or an Idempotency-Key to every send. Repeating it returns the first result instead of sending twice.",
  },
  {
    title: "Keep updates on one job in one thread",
    text: "Updates with the same task_id stay in one email thread for the owner, and their replies come back with that task_id.",
  },
  {
    title: "See why an email created no task",
    text: "GET /api/v1/inboxes/:id/messages/:message_id/explain shows what was found about the sender and what was decided.",
  },
  {
    title: "Let an owner approve what you send",
    text: "With send_mode approval, every outgoing email waits until an owner approves it.",
  },
  {
    title: "Hold suspicious email",
    text: "With screening hold, suspicious email is held and its text withheld until you release it.",
  },
];

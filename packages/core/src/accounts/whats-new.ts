/** The newest highlights that `GET /me` shows, newest first; two or three. */
export const whatsNew = [
  {
    date: "2026-11-20",
    title: "Owners can direct an agent by mail: their authenticated letters become tasks.",
  },
  { date: "2026-11-20", title: "Inbound mail is screened, and can be held back until it is released." },
] as const;

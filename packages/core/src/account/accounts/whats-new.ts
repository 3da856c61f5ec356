/** The two or three highlights that `GET /me` shows, newest first. */
export const WHATS_NEW = [
  {
    date: "2026-11-22",
    title: "People let apps in with OAuth, take charge of accounts, and get a lost key back by email.",
  },
  {
    date: "2026-11-20",
    title: "Owners can direct an agent by email: their authenticated emails become tasks.",
  },
  { date: "2026-11-20", title: "Inbound email is screened, and can be held until you release it." },
] as const;

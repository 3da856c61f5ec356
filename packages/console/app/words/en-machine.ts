/** The words of what a server without providers has for whoever sits at its machine. */
export const outbox = {
  title: "Captured mail",
  lead: "This server keeps outgoing mail here instead of sending it.",
  mail: "Captured mail",
  choose: "Choose a mail to read it here.",
  empty: { title: "Nothing has been sent yet", text: "What is sent shows up here by itself." },
  from: "From",
  to: "To",
  date: "Date",
  ways: { label: "Show", html: "As designed", text: "Text", source: "Source" },
  blocked: "Pictures of other servers aren't loaded.",
  asPhone: "As wide as a phone",
  asWide: "As wide as this page",
  frame: (subject: string) => `The mail “${subject}” as its reader sees it`,
  files: "Files",
} as const;

/** A heading of the sidebar, with the written pages below it: the names of their files. */
export interface Section {
  title: string;
  kind: "concepts" | "guides";
  pages: readonly string[];
  /** Further headings below this one. */
  parts?: readonly { title: string; pages: readonly string[] }[];
}

/** The written pages in the order of the sidebar; the reference comes before the last section. */
export const SECTIONS: readonly Section[] = [
  {
    title: "Start",
    kind: "guides",
    pages: ["what-it-is", "getting-started", "tour", "comparison"],
  },
  {
    title: "Concepts",
    kind: "concepts",
    pages: [
      ...["inbox", "owner", "authority", "task", "trust", "screening", "what-may-leave", "approvals"],
      "idempotency",
    ],
  },
  {
    title: "Guides",
    kind: "guides",
    pages: [],
    parts: [
      {
        title: "Agents",
        pages: [
          ...[
            "agent-loop",
            "mcp",
            "cli",
            "one-time-codes",
            "expectations",
            "attachments",
            "conversations",
            "threads",
          ],
          ...["contacts", "rules", "forwarding", "trash", "canaries", "refusals"],
        ],
      },
      {
        title: "People",
        pages: [
          ...[
            "console",
            "approvals-on-a-phone",
            "overview",
            "owners",
            "signing-in",
            "pairing",
            "what-leaves",
            "receipts",
            "passkeys",
            "recovery",
          ],
          "deleting-accounts",
        ],
      },
      {
        title: "Programs",
        pages: [
          ...["embed", "mount", "webhooks", "testing", "reading-mail", "openapi", "packages"],
          ...["sql-adapters", "development"],
        ],
      },
      {
        title: "Operators",
        pages: [
          ...[
            "deploying",
            "containers",
            "operating",
            "upgrading",
            "scaling",
            "domains",
            "relay",
            "mail-in-without-port-25",
          ],
          ...["bounces", "phone", "phone-calls", "plans", "workspaces", "budgets", "export", "oauth"],
        ],
      },
    ],
  },
  {
    title: "Why",
    kind: "guides",
    pages: [
      ...["accuracy", "accuracy-figures", "accuracy-failures"],
      ...["performance", "performance-method", "performance-results", "security", "hostile-mail"],
    ],
  },
];

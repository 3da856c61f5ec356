import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Permission } from "../catalogue/permissions.ts";
import { Budget } from "./budgets.ts";
import { Line, Timestamp } from "./fields.ts";
import { Inbox } from "./inboxes.ts";
import { SendMode } from "./outbound.ts";

/** The name that a program gives itself when it pairs: its own words, which prove nothing. */
export const ClientName = Line(LIMITS.client_name_chars).describe(
  "What the program calls itself, for the person to see; its User-Agent header by default.",
);

/** A person's code with which an agent gets its inbox and key, and what became of it. */
export const Pairing = z.object({
  object: z.literal("pairing").default("pairing"),
  id: z.string().describe("The pairing's id."),
  status: z
    .enum(["open", "expired", "paired", "undone"])
    .describe("Whether the code still works, ended unused, was used, or was used and then undone."),
  account_id: z
    .string()
    .nullable()
    .describe("The account of the inbox; null until a code for a new one is used."),
  inbox_id: z
    .string()
    .nullable()
    .describe("The inbox that the key is for; null until a code for a new one is used."),
  inbox_created: z.boolean().describe("Whether the inbox was created for the agent, with its account."),
  permissions: z.array(Permission).describe("The permissions of the agent's key."),
  send_mode: SendMode.nullable().describe("The send mode of the new inbox; null for an inbox that exists."),
  budget: Budget.nullable().describe("What the agent's key may send at most; null for no limit of its own."),
  key_id: z.string().nullable().describe("The agent's key; null until the code is used."),
  client_name: z
    .string()
    .nullable()
    .describe("What the program that used the code called itself; null if it didn't, or none did."),
  network: z
    .string()
    .nullable()
    .describe("The network from which the code was used: a /24, or the /64 of an IPv6 address; else null."),
  created_at: Timestamp.describe("When the code was made (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When the code stops working: 10 minutes after it was made."),
  paired_at: Timestamp.nullable().describe("When the code was used; null until then."),
});
export type Pairing = z.infer<typeof Pairing>;

/** A new code, which no other answer shows. */
export const NewPairing = Pairing.extend({
  code: z
    .string()
    .describe(
      "The code: 8 letters and digits in two groups, good once. Capitals and the hyphen don't matter.",
    ),
  sentence: z
    .string()
    .describe(
      "What to paste to an agent: how it gets its mailbox with the code, by the CLI or by one request.",
    ),
  command: z.string().describe("The CLI's line for a shell."),
  request: z.string().describe("The same for a shell without npm: one request with curl."),
}).meta({ title: "NewPairing" });
export type NewPairing = z.infer<typeof NewPairing>;

/** A pairing as stored: of the code, only a MAC. */
export const PairingRecord = Pairing.omit({ object: true, status: true }).extend({
  email: z.string().describe("The person who made the code."),
  code_mac: z.string().nullable().describe("The MAC of the code; null once it is used."),
  undone_at: Timestamp.nullable().describe("When the person undid it; null unless they did."),
  kept_until: Timestamp.describe("When the record is deleted."),
});
export type PairingRecord = z.infer<typeof PairingRecord>;

/** The answer to a code: the agent's key and inbox. */
export const Paired = z.object({
  object: z.literal("paired").default("paired"),
  account_id: z.string().describe("The account's id."),
  api_key: z.string().describe("The key. It is shown only here."),
  api_key_id: z.string().describe("The key's id."),
  inbox: Inbox.describe("The agent's inbox."),
  owner_email_masked: z
    .string()
    .describe("The person who has charge, with most of the address left out: `o***@owner.example`."),
});
export type Paired = z.infer<typeof Paired>;

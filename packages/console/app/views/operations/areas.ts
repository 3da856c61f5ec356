import type { Permission } from "@letterslot/client";
import {
  Activity,
  AppWindow,
  Ban,
  Building2,
  ChartColumn,
  Contact,
  Globe,
  KeyRound,
  ListFilter,
  type LucideIcon,
  MailX,
  Phone,
  Settings,
  Users,
  Webhook,
} from "lucide-preact";
import { type Caller, hasWholeAccount, may } from "../../api/caller.ts";
import type { words } from "../../words/index.ts";

export type AreaName = keyof typeof words.operations.areas;

interface Area {
  name: AreaName;
  icon: LucideIcon;
  group: keyof typeof words.operations.groups;
  /** One of these is needed to read it. */
  reads: readonly Permission[];
  /** It is about the whole account: nobody who is held to inboxes sees it. */
  whole?: true;
  /** Only for people: no key may. */
  people?: true;
}

export const AREAS: readonly Area[] = [
  { name: "webhooks", icon: Webhook, group: "programs", reads: ["webhook_read", "webhook_write"] },
  { name: "keys", icon: KeyRound, group: "programs", reads: ["key_read"] },
  { name: "apps", icon: AppWindow, group: "programs", reads: ["key_read", "grant_read"] },
  { name: "events", icon: Activity, group: "programs", reads: ["event_read"] },
  { name: "refusals", icon: Ban, group: "programs", reads: ["event_read"] },
  { name: "contacts", icon: Contact, group: "mail", reads: ["message_read"] },
  { name: "lists", icon: ListFilter, group: "mail", reads: ["list_read"] },
  { name: "suppressions", icon: MailX, group: "mail", reads: ["suppression_read"] },
  { name: "domains", icon: Globe, group: "mail", reads: ["domain_read"], whole: true },
  { name: "phone", icon: Phone, group: "mail", reads: ["phone_read"] },
  { name: "people", icon: Users, group: "account", reads: [], people: true },
  { name: "workspaces", icon: Building2, group: "account", reads: ["workspace_read"], whole: true },
  { name: "usage", icon: ChartColumn, group: "account", reads: ["metrics_read"], whole: true },
  { name: "settings", icon: Settings, group: "account", reads: [], whole: true },
];

/** Whether the caller may see an area at all. */
export function mayEnter(caller: Caller, { reads, whole, people }: Area): boolean {
  if (people && caller.kind !== "person") return false;
  if (whole && !hasWholeAccount(caller)) return false;
  return reads.length === 0 || reads.some((permission) => may(caller, permission));
}

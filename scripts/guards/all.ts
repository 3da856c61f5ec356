import { approvedHtml } from "./approved-html.ts";
import { appGuards } from "./apps.ts";
import { automaticDns } from "./automatic-dns.ts";
import { budgetsOfKeys } from "./budgets.ts";
import { calls } from "./calls.ts";
import { cli } from "./cli.ts";
import { directDelivery } from "./direct-delivery.ts";
import { disk } from "./disk.ts";
import { domainDns } from "./domain-dns.ts";
import { customDomains } from "./domains.ts";
import { doors } from "./doors.ts";
import { deletionOfAccounts } from "./erasing.ts";
import { exportsOfAccounts } from "./export.ts";
import type { Guard } from "./guard.ts";
import { listenAndDoctor } from "./listen.ts";
import { mail } from "./mail.ts";
import { mcp } from "./mcp.ts";
import { bucket } from "./objects.ts";
import { once } from "./once.ts";
import { ownerWord } from "./owner-word.ts";
import { owners } from "./owners.ts";
import { people } from "./people.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { plansOfAccounts } from "./plans.ts";
import { requests } from "./requests.ts";
import { secrets } from "./secrets.ts";
import { texts } from "./texts.ts";
import { tools } from "./tools.ts";
import { twilio } from "./twilio.ts";
import { textsAndVoicemails } from "./voicemail.ts";
import { webhooks } from "./webhooks.ts";
import { workspaces } from "./workspaces.ts";

/** Every guard that is known to be tested. A new row in SECURITY.md comes with a guard here. */
export const GUARDS: readonly Guard[] = [
  ...doors,
  ...requests,
  ...owners,
  ...ownerWord,
  ...approvedHtml,
  ...people,
  ...appGuards,
  ...budgetsOfKeys,
  ...plansOfAccounts,
  ...exportsOfAccounts,
  ...deletionOfAccounts,
  ...mail,
  ...webhooks,
  ...once,
  ...phoneNumbers,
  ...texts,
  ...calls,
  ...textsAndVoicemails,
  ...domainDns,
  ...customDomains,
  ...automaticDns,
  ...directDelivery,
  ...disk,
  ...secrets,
  ...workspaces,
  ...bucket,
  ...twilio,
  ...mcp,
  ...tools,
  ...cli,
  ...listenAndDoctor,
];
